// How some columns are computed from each other, in the direction of the data, and by which job.
MATCH (f:Field)-[e:DERIVED_FROM]->(s:Field)
WHERE f.key IN $keys AND s.key IN $keys AND coalesce(e.type, 'DIRECT') IN $types
RETURN DISTINCT s.key AS source, f.key AS target, e.job_key AS job,
       coalesce(e.type, 'DIRECT') AS type, e.subtype AS subtype, e.description AS description
ORDER BY source, target, job, type, subtype
