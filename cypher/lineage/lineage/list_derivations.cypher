// The source columns of columns, in data direction, with the deriving jobs.
UNWIND $keys AS key
MATCH (f:Field {key: key})-[:IN_SET*0..1]->(made)
WITH f, made
MATCH (made)-[e:DERIVED_FROM]->(s:Field)
WHERE coalesce(e.type, 'DIRECT') IN $types
RETURN DISTINCT s.key AS source, f.key AS target, e.job_key AS job,
       coalesce(e.type, 'DIRECT') AS type, e.subtype AS subtype, e.description AS description
ORDER BY source, target, job, type, subtype
