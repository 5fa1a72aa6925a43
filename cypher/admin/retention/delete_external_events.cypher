// Delete external events from before a time that no condition holds and no firing consumed.
MATCH (e:ExternalEvent)
WHERE e.occurred_at < $before
  AND NOT EXISTS { (:Cell)-[:HOLDS]->(e) }
  AND NOT EXISTS { (:Firing)-[:CONSUMED]->(e) }
WITH e LIMIT $limit
DETACH DELETE e
RETURN count(*) AS deleted
