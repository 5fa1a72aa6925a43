// The jobs and datasets with an attached tag of a lower-case text, also those with a tagged column.
MATCH (t:Tag)
USING SCAN t:Tag
WHERE toLower(t.name) CONTAINS $text
MATCH (t)<-[:TAGGED]-(tagged:Job|Dataset|Field)
WHERE coalesce(tagged.current, true)
OPTIONAL MATCH (d:Dataset)-[:HAS_FIELD]->(tagged)
RETURN DISTINCT coalesce(d.key, tagged.key) AS key, 'tags' AS place
ORDER BY key
LIMIT $limit
