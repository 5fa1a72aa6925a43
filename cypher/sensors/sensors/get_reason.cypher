// The reason for exclusive polling of a sensor, if any.
MATCH (s:Sensor {id: $id}) WHERE s.exclusive_reason IS NOT NULL
RETURN s.exclusive_reason AS exclusive_reason
