// Versions of which nobody noted the partitions count as all of their dataset.
CALL () {
  MATCH (version:DatasetVersion)
  WHERE version.partition_key IS NULL
  RETURN version
}
CALL (version) {
  SET version.partition_key = ''
} IN TRANSACTIONS OF 5000 ROWS
