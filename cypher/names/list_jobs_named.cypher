// Jobs that a name may mean, by rank: 0 its FQN, 1 its own name, 2 its simple name, 3 the end of its FQN.
MATCH (j:Job)
WHERE j.fqn = $name OR j.name = $name OR j.simple_name = $name OR j.fqn ENDS WITH '.' + $name
WITH j, CASE $name WHEN j.fqn THEN 0 WHEN j.name THEN 1 WHEN j.simple_name THEN 2 ELSE 3 END AS rank
RETURN j.key AS key, j.namespace AS namespace, j.fqn AS name, j.kind AS kind, rank,
       [(a:Job)-[:PARENT_OF*]->(j) | a.namespace] AS namespaces_above
ORDER BY rank, name, namespace
LIMIT 1000
