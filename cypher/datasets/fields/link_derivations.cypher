// Link columns to their source columns, with the job, the kind of derivation and its first and last time.
//
// As lists, as the planner would look for each row through all links of the job's index.
UNWIND $rows AS row
MATCH (f:Field {key: row.key})
MATCH (source:Field {key: row.source_key})
OPTIONAL MATCH (f)-[known:DERIVED_FROM]->(source)
WHERE [known.job_key, known.type, known.subtype, known.description, known.masking]
    = [row.job_key, row.type, row.subtype, row.description, row.masking]
WITH f, source, known, row, datetime(row.first_seen) AS first, datetime(row.last_seen) AS last
FOREACH (new IN CASE WHEN known IS NULL THEN [row] ELSE [] END |
  CREATE (f)-[:DERIVED_FROM {
    job_key: new.job_key, type: new.type, subtype: new.subtype, description: new.description,
    masking: new.masking, first_seen: first, last_seen: last
  }]->(source)
)
FOREACH (e IN CASE WHEN known IS NULL THEN [] ELSE [known] END |
  SET
    e.first_seen = CASE WHEN e.first_seen < first THEN e.first_seen ELSE first END,
    e.last_seen = CASE WHEN e.last_seen > last THEN e.last_seen ELSE last END
)
