// The reported facts of datasets, of which versions without a run follow.
UNWIND $keys AS key
MATCH (d:Dataset {key: key})
WHERE d.facts IS NOT NULL
RETURN d.key AS dataset, d.namespace AS namespace, d.name AS name, d.facts AS facts,
       COLLECT {
         MATCH (d)-[:SAME_AS*0..1]->(:Dataset)-[:TAGGED]->(t:Tag)
         RETURN DISTINCT t.name AS tag ORDER BY tag
       } AS tags
ORDER BY dataset
