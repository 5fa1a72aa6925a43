// A sensor with its waits and the conditions that watch it.
MATCH (s:Sensor {id: $key})
OPTIONAL MATCH path = (s)<-[:WAITS_ON|WATCHES]-()
RETURN s, path
LIMIT 200
