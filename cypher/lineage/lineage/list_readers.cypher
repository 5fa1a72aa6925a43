// The jobs that read a dataset, by name, each with the number of its runs that did and its outputs.
MATCH (:Dataset {key: $key})<-[:SAME_AS*0..1]-(d:Dataset)-[f:FEEDS]->(j:Job)
WHERE j.hidden_at IS NULL AND NOT EXISTS { (d)-[:FEEDS]->(:Job)<-[:PARENT_OF*1..]-(j) }
WITH j, sum(f.runs) AS runs, max(f.last_seen) AS last_seen
RETURN
  j.key AS key, j.namespace AS namespace, j.fqn AS name, runs, last_seen,
  COUNT { (j)-[:PRODUCES]->(:Dataset) } AS outputs
ORDER BY name, namespace, key
