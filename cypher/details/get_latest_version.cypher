// The version of a dataset that was written last.
MATCH (:Dataset {key: $key})-[:HAS_VERSION]->(v:DatasetVersion)
RETURN v.key AS key
ORDER BY v.written_at IS NULL, v.written_at DESC, key
LIMIT 1
