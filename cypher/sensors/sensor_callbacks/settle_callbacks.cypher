// Record the results of callbacks; without a pause before the next attempt they are finished.
UNWIND $rows AS row
MATCH (b:SensorCallback {id: row.id})
OPTIONAL MATCH (:Run {id: b.run_id})-[w:WAITS_ON|WAITED_ON]->(:Sensor {id: b.sensor_id})
SET w.log = w.log + [row.line],
    b.next_at = coalesce($now, datetime.realtime()) + row.pause
WITH row, b WHERE row.pause IS NULL
DELETE b
