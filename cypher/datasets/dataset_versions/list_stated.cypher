// The reported facts of datasets, of which versions without a run follow.
UNWIND $keys AS key
MATCH (d:Dataset {key: key})
WHERE d.facts IS NOT NULL
RETURN d.key AS dataset, d.namespace AS namespace, d.name AS name, d.facts AS facts,
       COLLECT { MATCH (d)-[:TAGGED]->(t:Tag) RETURN t.name ORDER BY t.name } AS tags
ORDER BY dataset
