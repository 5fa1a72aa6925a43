// Derived columns of datasets, each with one of its source columns and the deriving job.
UNWIND $keys AS key
MATCH (:Dataset {key: key})-[:SAME_AS*0..1]->(own:Dataset)-[:HAS_FIELD]->(f:Field)-[:IN_SET*0..1]->(made)
WHERE coalesce(f.current, true)
WITH key, own, f, made
MATCH (made)-[e:DERIVED_FROM]->(s:Field)<-[:HAS_FIELD]-(from:Dataset)
WHERE from.hidden_at IS NULL
RETURN key AS dataset, f.name AS name, from.namespace AS source_namespace,
       from.name AS source_dataset, s.name AS source_name,
       own.key AS target_dataset, f.key AS target, s.key AS source, e.job_key AS job,
       coalesce(e.type, 'DIRECT') AS type, e.subtype AS subtype, e.description AS description,
       coalesce(e.masking, false) AS masking,
       min(e.first_seen) AS first_seen, max(e.last_seen) AS last_seen
ORDER BY dataset, name, source_namespace, source_dataset, source_name, type, subtype, description,
         masking, job
