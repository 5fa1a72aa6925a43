// The sensors that triggers watch, or watched at the last check.
MATCH (s:Sensor) WHERE s.is_watched OR EXISTS { (s)<-[:WATCHES]-(:Condition) }
RETURN s.id AS id
ORDER BY id
