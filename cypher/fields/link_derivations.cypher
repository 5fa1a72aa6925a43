// Note which columns columns are derived from, by which job, and how.
UNWIND $rows AS row
MATCH (f:Field {key: row.key})
MATCH (source:Field {key: row.source_key})
MERGE (f)-[x:DERIVED_FROM {
  job_key: row.job_key, type: row.type, subtype: row.subtype, description: row.description
}]->(source)
ON CREATE SET x.first_seen = row.first_seen, x.last_seen = row.last_seen
ON MATCH SET
  x.first_seen = CASE WHEN row.first_seen < x.first_seen THEN row.first_seen ELSE x.first_seen END,
  x.last_seen = CASE WHEN row.last_seen > x.last_seen THEN row.last_seen ELSE x.last_seen END
