// Set what was reported of datasets.
UNWIND $rows AS row
MATCH (d:Dataset {key: row.key})
SET d.facts = row.facts, d.schema_at = row.schema_at
