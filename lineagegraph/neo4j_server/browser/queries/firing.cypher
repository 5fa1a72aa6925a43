// A firing with its trigger, its consumed occurrences and its run.
MATCH (f:Firing {key: $key})
MATCH path = (f)-[:FIRED|CONSUMED|STARTED]-()
RETURN path
LIMIT 200
