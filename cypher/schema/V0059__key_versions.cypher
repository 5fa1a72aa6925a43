// Versions and reads that were written without the key of their dataset get it.
CALL () {
  MATCH (d:Dataset)-[:HAS_VERSION]->(version:DatasetVersion)
  WHERE version.dataset_key IS NULL
  RETURN d.key AS key, version, null AS use
  UNION ALL
  MATCH (:Run)-[use:READS]->(d:Dataset)
  WHERE use.dataset_key IS NULL
  RETURN d.key AS key, null AS version, use
}
CALL (key, version, use) {
  SET version.dataset_key = key
  SET use.dataset_key = key
} IN TRANSACTIONS OF 5000 ROWS
