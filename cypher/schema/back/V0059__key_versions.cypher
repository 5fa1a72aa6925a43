// Versions and reads lose the key of their dataset.
CALL () {
  MATCH (:Dataset)-[:HAS_VERSION]->(version:DatasetVersion)
  WHERE version.dataset_key IS NOT NULL
  RETURN version, null AS use
  UNION ALL
  MATCH (:Run)-[use:READS]->(:Dataset)
  WHERE use.dataset_key IS NOT NULL
  RETURN null AS version, use
}
CALL (version, use) {
  REMOVE version.dataset_key
  REMOVE use.dataset_key
} IN TRANSACTIONS OF 5000 ROWS
