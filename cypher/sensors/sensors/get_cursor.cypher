// The cursor of a sensor, if it has one.
MATCH (s:Sensor {id: $id}) WHERE s.cursor IS NOT NULL
RETURN s.cursor AS cursor
