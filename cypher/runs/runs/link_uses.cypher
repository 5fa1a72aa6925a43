// Record the reads and writes of runs, with counts and partitions; a run writes one version of a dataset.
CALL () {
  UNWIND $inputs AS row
  MATCH (r:Run {id: row.id})
  MATCH (d:Dataset {key: row.dataset_key})
  MERGE (r)-[u:READS]->(d)
  SET u = row.properties, u.dataset_key = d.key
  SET u.first_seen = datetime(row.first_seen), u.last_seen = datetime(row.last_seen),
      u.schema_at = datetime(row.schema_at)
}
CALL () {
  UNWIND $outputs AS row
  MATCH (r:Run {id: row.id})
  MATCH (d:Dataset {key: row.dataset_key})
  MERGE (v:DatasetVersion {key: row.key})
  SET v.dataset_key = d.key, v.written_at = datetime(row.written_at), v.begun_at = datetime(row.begun_at)
  SET v.version = row.properties.version, v.partition_keys = row.properties.partition_keys,
      v.dimensions = row.properties.dimensions
  SET v.partition_key = row.partition_key
  MERGE (d)-[:HAS_VERSION]->(v)
  MERGE (r)-[u:WRITES]->(v)
  SET u = row.properties, u.first_seen = datetime(row.first_seen), u.last_seen = datetime(row.last_seen),
      u.schema_at = datetime(row.schema_at)
}
