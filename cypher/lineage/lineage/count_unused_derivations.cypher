// How much column lineage no event has reported since a time.
MATCH (made)-[e:DERIVED_FROM]->(s:Field)
WHERE e.last_seen < $since
MATCH (made)<-[:IN_SET*0..1]-(f:Field)
MATCH (d:Dataset)-[:HAS_FIELD]->(f)
MATCH (source:Dataset)-[:HAS_FIELD]->(s)
WHERE d.hidden_at IS NULL AND source.hidden_at IS NULL
MATCH (:Job {key: e.job_key})
RETURN count(*) AS count
