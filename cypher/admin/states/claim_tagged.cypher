// Lock tagged jobs, datasets and fields, and return their states as far as the audit log shows them.
//
// A dataset has the tags of all of its names, and so has a field.
UNWIND $keys AS key
MATCH (n:Job|Dataset|Field {key: key})
SET n.locked = true
REMOVE n.locked
WITH n, key
CALL (n) {
  RETURN n AS same
  UNION
  MATCH (n)-[:SAME_AS]->(same:Dataset)
  RETURN same
  UNION
  MATCH (n)<-[:HAS_FIELD]-(:Dataset)-[:SAME_AS]->(:Dataset)-[:HAS_FIELD]->(same:Field {name: n.name})
  RETURN same
}
OPTIONAL MATCH (same)-[:TAGGED]->(t:Tag)
WITH DISTINCT n, key, t.name AS name ORDER BY name
WITH n, key, collect(name) AS tags
RETURN key, {tags: tags} AS state
