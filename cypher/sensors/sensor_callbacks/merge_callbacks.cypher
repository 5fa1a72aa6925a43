// Store callbacks for the outcomes of waits.
UNWIND $rows AS row
MATCH (s:Sensor {id: row.sensor_id})
MERGE (b:SensorCallback {id: row.id})
ON CREATE SET
  b.event = row.event,
  b.function = row.function,
  b.run_id = row.run_id,
  b.sensor_id = s.id,
  b.kind = s.kind,
  b.fields = s.fields,
  b.message = row.message,
  b.attempt = row.attempt,
  b.tries = 0,
  b.created_at = coalesce($now, datetime.realtime()),
  b.next_at = coalesce($now, datetime.realtime())
