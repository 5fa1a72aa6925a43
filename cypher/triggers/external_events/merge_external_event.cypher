// Store an external event once for each id, by the run that sent it, and return whether it is new.
MERGE (e:ExternalEvent {id: $id})
ON CREATE SET
  e.name = $name,
  e.payload = $payload,
  e.received_at = coalesce($now, datetime.realtime()),
  e.occurred_at = coalesce(datetime($occurred_at), $now, datetime.realtime()),
  e.token = $token
WITH e
CALL (e) {
  MATCH (r:Run {id: $run_id}) WHERE e.token = $token
  CREATE (r)-[:SENT]->(e)
}
RETURN e.token = $token AS is_new, e.name AS name, e.occurred_at AS occurred_at, e.payload AS payload
