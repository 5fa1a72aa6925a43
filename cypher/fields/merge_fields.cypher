// Make sure that columns exist, with the type that was reported last.
UNWIND $rows AS row
MATCH (d:Dataset {key: row.dataset_key})
MERGE (f:Field {key: row.key})
ON CREATE SET
  f.name = row.name,
  f.dataset_key = row.dataset_key,
  f.type_said = '',
  f.current = CASE WHEN d.schema_at IS NOT NULL THEN false END
MERGE (d)-[:HAS_FIELD]->(f)
WITH f, row
CALL (f, row) {
  WITH f, row WHERE row.type_said > f.type_said
  SET f.type_said = row.type_said, f.type = row.type
}
