// Make a queued run the rerun of another: its required code and its number among the reruns.
MATCH (r:Run {id: $id})
MATCH (o:Run {id: $original})-[:RERUN_OF*0..]->(first:Run)
WHERE NOT EXISTS { (first)-[:RERUN_OF]->(:Run) }
SET first.locked = true
REMOVE first.locked
MERGE (r)-[:RERUN_OF]->(o)
WITH r, COUNT { (:Run)-[:RERUN_OF*]->(first) } AS number
SET r.rerun_number = coalesce(r.rerun_number, number),
    r.rerun_policy = $policy,
    r.only = $only,
    r.wanted_version = $version,
    r.source = $source,
    r.task_code = $task_code,
    r.variables = $variables,
    r.wanted_environment = $environment,
    r.isolated = CASE WHEN $isolated THEN true END
RETURN r.rerun_number AS number
