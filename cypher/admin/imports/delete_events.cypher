// Unlink events from the import that brought them, and delete events without other senders.
MATCH (i:Import {id: $id})-[b:BROUGHT]->(e:Event)
WITH b, e LIMIT $limit
DELETE b
// To set a label takes the lock of the index: whoever merges the node waits, or was waited for.
REMOVE e:Event
SET e:Event
WITH e, (e.imported AND NOT EXISTS { (:Import)-[:BROUGHT]->(e) }) AS is_own
CALL (e, is_own) {
  WITH e WHERE is_own
  DETACH DELETE e
}
RETURN count(*) AS done
