// Versions lose the name of the partition that they are.
CALL () {
  MATCH (version:DatasetVersion)
  WHERE version.partition_key IS NOT NULL
  RETURN version
}
CALL (version) {
  REMOVE version.partition_key
} IN TRANSACTIONS OF 5000 ROWS
