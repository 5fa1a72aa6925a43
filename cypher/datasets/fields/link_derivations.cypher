// Link columns to their source columns, with the job, the kind of derivation and its first and last time.
UNWIND $rows AS row
MATCH (f:Field {key: row.key})
MATCH (source:Field {key: row.source_key})
MERGE (f)-[e:DERIVED_FROM {
  job_key: row.job_key, type: row.type, subtype: row.subtype, description: row.description,
  masking: row.masking
}]->(source)
WITH e, datetime(row.first_seen) AS first, datetime(row.last_seen) AS last
SET
  e.first_seen = CASE WHEN e.first_seen < first THEN e.first_seen ELSE first END,
  e.last_seen = CASE WHEN e.last_seen > last THEN e.last_seen ELSE last END
