// Candidate jobs by rank: 0 FQN, 1 own name, 2 simple name, 3 earlier name, 4 end of the FQN.
CALL () {
  MATCH (j:Job)
  WHERE j.fqn = $name OR j.name = $name OR j.simple_name = $name OR j.fqn ENDS WITH '.' + $name
  RETURN j, CASE $name WHEN j.fqn THEN 0 WHEN j.name THEN 1 WHEN j.simple_name THEN 2 ELSE 4 END
            AS rank
  UNION
  MATCH (:Alias {name: $name})-[:NAMES]->(j:Job)
  RETURN j, 3 AS rank
}
WITH j, rank WHERE j.hidden_at IS NULL
RETURN j.key AS key, j.namespace AS namespace, j.fqn AS name, j.kind AS kind, rank,
       [(a:Job)-[:PARENT_OF*]->(j) | a.namespace] AS namespaces_above
ORDER BY rank, name, namespace
LIMIT 1000
