// The datasets that are the same as a dataset, if any.
MATCH (:Dataset {key: $key})-[:SAME_AS]->(d:Dataset)
RETURN d.key AS key
ORDER BY key
