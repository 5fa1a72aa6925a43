// Unlink events from the import that brought them, and delete events without other senders.
//
// What its own sender only claimed is a claim again.
MATCH (i:Import {id: $id})-[b:BROUGHT]->(e:Event)
WITH b, e LIMIT $limit
DELETE b
// To set a label takes the lock of the index: whoever merges the node waits, or was waited for.
REMOVE e:Event
SET e:Event
WITH e, NOT EXISTS { (:Import)-[:BROUGHT]->(e) } AS is_last
CALL (e, is_last) {
  WITH e WHERE is_last AND e.own_claims IS NOT NULL
  SET e.claims = e.own_claims, e.author = e.own_author, e.judged_by = ''
  REMOVE e.own_claims, e.own_author
}
CALL (e, is_last) {
  WITH e WHERE is_last AND e.imported
  DETACH DELETE e
}
RETURN count(*) AS done
