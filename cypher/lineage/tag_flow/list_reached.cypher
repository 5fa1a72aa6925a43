// The watched tags whose values reach columns of a dataset, under any of its names.
MATCH (d:Dataset {key: $key})-[:SAME_AS*0..1]->(:Dataset)-[:HAS_FIELD]->(f:Field)<-[:REACHES]-(t:Tag)
WITH t.name AS tag, f.name AS column
ORDER BY tag, column
RETURN tag, collect(DISTINCT column) AS columns
