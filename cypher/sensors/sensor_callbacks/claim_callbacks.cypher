// Claim due callbacks for a limited time, longest wait first.
MATCH (b:SensorCallback)
WHERE b.next_at <= coalesce($now, datetime.realtime())
WITH b ORDER BY b.next_at, b.id LIMIT $most
SET b.locked = true
REMOVE b.locked
WITH b, coalesce($now, datetime.realtime()) AS now WHERE b.next_at <= now
SET b.next_at = now + $lease, b.tries = b.tries + 1
RETURN
  b.id AS id, b.event AS event, b.function AS function, b.run_id AS run_id,
  b.sensor_id AS sensor_id, b.kind AS kind, b.fields AS fields, b.message AS message,
  b.attempt AS attempt, b.tries AS tries
ORDER BY id
