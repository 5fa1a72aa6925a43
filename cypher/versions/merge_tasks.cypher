// Keep the tasks of a version.
UNWIND $rows AS row
MERGE (t:TaskVersion {hash: row.hash})
ON CREATE SET
  t.name = row.name,
  t.path = row.path,
  t.runs = row.runs,
  t.retries = row.retries,
  t.definition = row.definition,
  t.emits = row.emits,
  t.emit_types = row.emit_types
