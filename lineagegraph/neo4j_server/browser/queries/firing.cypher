// A firing: its trigger, what satisfied that, and the run that it started.
MATCH (f:Firing {key: $key})
MATCH path = (f)-[:FIRED|CONSUMED|STARTED]-()
RETURN path
LIMIT 200
