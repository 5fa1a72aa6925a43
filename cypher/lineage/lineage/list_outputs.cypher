// The datasets that a job and its descendants write, each by the name that it is shown under.
MATCH (:Job {key: $key})-[:PARENT_OF*0..]->(j:Job)
WHERE j.hidden_at IS NULL
MATCH (j)-[:PRODUCES]->(d:Dataset)
WHERE d.hidden_at IS NULL
RETURN DISTINCT coalesce(d.same_as, d.key) AS key
ORDER BY key
LIMIT $limit
