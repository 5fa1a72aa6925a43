// Count the sensors, and the runs that wait for them.
CALL () {
  MATCH (s:Sensor)
  WHERE s.shard >= 0 AND s.touched_at IS NOT NULL
  RETURN count(s) AS sensors
}
CALL () {
  MATCH (s:Sensor)
  WHERE s.shard >= 0 AND s.touched_at IS NOT NULL AND s.errors > 0
  RETURN count(s) AS failing
}
CALL () {
  MATCH (s:Sensor)
  WHERE s.shard >= 0 AND s.touched_at IS NOT NULL AND s.exclusive_reason IS NOT NULL
  RETURN count(s) AS exclusive
}
CALL () {
  MATCH ()-[w:WAITS_ON]->()
  WHERE w.open_on IS NOT NULL
  RETURN count(w) AS waits, count(DISTINCT w.open_on) AS waited_for
}
RETURN sensors, failing, exclusive, waits, waited_for
