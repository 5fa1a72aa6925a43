// The versions of their jobs or pipelines that runs used.
UNWIND $ids AS id
MATCH (r:Run {id: id})
WITH r, [(p:Run)-[:PARENT_OF*1..]->(r) WHERE p.version IS NOT NULL | toString(p.version)][0] AS pipeline
WITH r.id AS run, coalesce(toStringOrNull(r.version), pipeline, r.job_version) AS version
WHERE version IS NOT NULL
RETURN run, version
ORDER BY run
