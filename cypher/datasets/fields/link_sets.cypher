// Link sets of columns to their sources, with the job, the kind of derivation, first and last time.
UNWIND $rows AS row
MERGE (g:ColumnSet {key: row.key})
ON CREATE SET g.job_key = row.job_key
WITH g, row
CALL (g, row) {
  UNWIND row.columns AS key
  MATCH (f:Field {key: key})
  MERGE (f)-[:IN_SET]->(g)
}
CALL (g, row) {
  UNWIND row.sources AS said
  MATCH (source:Field {key: said.source_key})
  MERGE (g)-[e:DERIVED_FROM {
    job_key: said.job_key, type: said.type, subtype: said.subtype, description: said.description,
    masking: said.masking
  }]->(source)
  WITH e, datetime(row.first_seen) AS first, datetime(row.last_seen) AS last
  SET
    e.first_seen = CASE WHEN e.first_seen < first THEN e.first_seen ELSE first END,
    e.last_seen = CASE WHEN e.last_seen > last THEN e.last_seen ELSE last END
}
