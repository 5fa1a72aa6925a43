// The source columns of columns, in data direction, with the deriving jobs.
UNWIND $keys AS key
MATCH (f:Field {key: key})-[:IN_SET*0..1]->(made)
WITH f, made
MATCH (made)-[e:DERIVED_FROM]->(s:Field)
WHERE coalesce(e.type, 'DIRECT') IN $types AND ($since IS NULL OR e.last_seen >= $since)
RETURN s.key AS source, f.key AS target, e.job_key AS job,
       coalesce(e.type, 'DIRECT') AS type, e.subtype AS subtype, e.description AS description,
       coalesce(e.masking, false) AS masking,
       min(e.first_seen) AS first_seen, max(e.last_seen) AS last_seen
ORDER BY source, target, job, type, subtype, description, masking
