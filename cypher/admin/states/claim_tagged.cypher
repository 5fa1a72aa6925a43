// Lock tagged jobs, datasets and fields, and return their states as far as the audit log shows them.
UNWIND $keys AS key
MATCH (n:Job|Dataset|Field {key: key})
SET n.locked = true
REMOVE n.locked
WITH n, key
OPTIONAL MATCH (n)-[:TAGGED]->(t:Tag)
WITH n, key, t.name AS name ORDER BY name
WITH n, key, collect(name) AS tags
RETURN key, {tags: tags} AS state
