// Column lineage that no event has reported since a time, by the last report.
MATCH (made)-[e:DERIVED_FROM]->(s:Field)
WHERE e.last_seen < $since
MATCH (made)<-[:IN_SET*0..1]-(f:Field)
MATCH (d:Dataset)-[:HAS_FIELD]->(f)
MATCH (source:Dataset)-[:HAS_FIELD]->(s)
WHERE d.hidden_at IS NULL AND source.hidden_at IS NULL
MATCH (j:Job {key: e.job_key})
WITH e, f, s, d, source, j
ORDER BY e.last_seen, d.namespace, d.name, f.name, source.namespace, source.name, s.name,
         e.type, e.subtype, e.description, e.masking, j.key
SKIP $offset
LIMIT $limit
RETURN d.namespace AS namespace, d.name AS dataset, f.name AS field,
       source.namespace AS source_namespace, source.name AS source_dataset, s.name AS source_field,
       j.fqn AS job, coalesce(e.type, 'DIRECT') AS type, e.subtype AS subtype,
       e.first_seen AS first_seen, e.last_seen AS last_seen
