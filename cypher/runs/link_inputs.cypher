// Note which datasets runs read, with counts and partitions.
UNWIND $rows AS row
MATCH (r:Run {id: row.id})
MATCH (d:Dataset {key: row.dataset_key})
MERGE (r)-[u:READS]->(d)
SET u = row.properties
