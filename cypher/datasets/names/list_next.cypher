// The datasets that some datasets name as themselves, and those that are the same until now.
UNWIND $keys AS key
MATCH (:Dataset {key: key})-[:HAS_NAME|SAME_AS]->(d:Dataset)
RETURN DISTINCT d.key AS key
ORDER BY key
