// The state of a run's wait.
MATCH (r:Run {id: $run_id})-[w:WAITS_ON]->(s:Sensor)
RETURN
  s.id AS sensor_id, w.state AS state, w.outcome AS outcome, w.message AS message,
  w.began_at AS began_at, w.deadline AS deadline,
  coalesce(w.settled_at >= w.deadline, false) AS is_late, w.value AS value, w.asked AS asked
ORDER BY w.began_at DESC
LIMIT 1
