// Create or lock columns, with their types if known.
UNWIND $rows AS row
MATCH (d:Dataset {key: row.dataset_key})
MERGE (f:Field {key: row.key})
ON CREATE SET
  f.name = row.name,
  f.dataset_key = row.dataset_key,
  f.current = CASE WHEN d.schema_at IS NOT NULL THEN false END
SET f.type = coalesce(row.type, f.type)
MERGE (d)-[:HAS_FIELD]->(f)
