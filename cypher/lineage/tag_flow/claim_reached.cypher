// Remember the columns that values of a watched tag reach, and return the keys of the new ones.
MATCH (t:Tag {name: $name}) WHERE t.watched_since IS NOT NULL
SET t.locked = true
REMOVE t.locked
WITH t, coalesce($now, datetime.realtime()) AS now
CALL (t) {
  MATCH (t)-[left:REACHES]->(f:Field) WHERE NOT f.key IN $keys
  DELETE left
}
WITH t, now
UNWIND $keys AS key
MATCH (f:Field {key: key}) WHERE NOT EXISTS { (t)-[:REACHES]->(f) }
CREATE (t)-[:REACHES {since: now}]->(f)
RETURN key
ORDER BY key
