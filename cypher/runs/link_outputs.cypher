// Note which datasets runs wrote: one version of the dataset for each run.
UNWIND $rows AS row
MATCH (r:Run {id: row.id})
MATCH (d:Dataset {key: row.dataset_key})
MERGE (v:DatasetVersion {key: row.key})
SET v += {written_at: row.written_at, version: row.properties.version}
MERGE (d)-[:HAS_VERSION]->(v)
MERGE (r)-[u:WRITES]->(v)
SET u = row.properties
