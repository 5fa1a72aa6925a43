// Count the sensors, and the runs that wait for them.
CALL () {
  MATCH (s:Sensor)
  RETURN count(s) AS sensors
}
CALL () {
  MATCH (s:Sensor)
  WHERE s.errors > 0
  RETURN count(s) AS failing
}
CALL () {
  MATCH (s:Sensor)
  WHERE s.exclusive_reason IS NOT NULL
  RETURN count(s) AS exclusive
}
CALL () {
  MATCH ()-[w:WAITS_ON]->()
  WHERE w.open_on IS NOT NULL
  RETURN count(w) AS waits, count(DISTINCT w.open_on) AS waited_for
}
RETURN sensors, failing, exclusive, waits, waited_for
