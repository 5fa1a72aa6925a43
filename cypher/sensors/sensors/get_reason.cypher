// Why each wait for a sensor is to look for itself, if that is so.
MATCH (s:Sensor {id: $id}) WHERE s.exclusive_reason IS NOT NULL
RETURN s.exclusive_reason AS exclusive_reason
