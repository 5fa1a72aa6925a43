// A firing and those that it follows, newest first, with the jobs that they start.
MATCH path = (:Firing {key: $key})-[:FOLLOWS*0..]->(f:Firing)
WITH f, length(path) AS distance
ORDER BY distance
LIMIT $limit
MATCH (f)<-[:FIRED]-(t:Trigger)-[:STARTS]->(j:Job)
RETURN t.id AS trigger_id, j.fqn AS job
ORDER BY distance
