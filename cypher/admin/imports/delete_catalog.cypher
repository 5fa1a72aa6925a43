// Delete namespaces, data sources and tags that only an import described.
MATCH (n:Namespace|DataSource|Tag {import_id: $import_id})
WHERE NOT n:Tag OR NOT EXISTS { (n)<-[:TAGGED]-() }
WITH n LIMIT $limit
// To set a label takes the lock of the index: whoever merges the node waits, or was waited for. The
// node's own lock lets its property be read again.
SET n.locked = true
REMOVE n.locked
WITH n
CALL (n) {
  WITH n WHERE n:Namespace
  REMOVE n:Namespace
  SET n:Namespace
}
CALL (n) {
  WITH n WHERE n:DataSource
  REMOVE n:DataSource
  SET n:DataSource
}
CALL (n) {
  WITH n WHERE n:Tag
  REMOVE n:Tag
  SET n:Tag
}
WITH n
CALL (n) {
  WITH n
  WHERE n.import_id = $import_id AND (NOT n:Tag OR NOT EXISTS { (n)<-[:TAGGED]-() })
  DETACH DELETE n
}
RETURN count(*) AS done
