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
  // As lists, as the planner would look for each source through all links of the job's index.
  OPTIONAL MATCH (g)-[known:DERIVED_FROM]->(source)
  WHERE [known.job_key, known.type, known.subtype, known.description, known.masking]
      = [said.job_key, said.type, said.subtype, said.description, said.masking]
  WITH g, source, known, said, datetime(row.first_seen) AS first, datetime(row.last_seen) AS last
  FOREACH (new IN CASE WHEN known IS NULL THEN [said] ELSE [] END |
    CREATE (g)-[:DERIVED_FROM {
      job_key: new.job_key, type: new.type, subtype: new.subtype, description: new.description,
      masking: new.masking, first_seen: first, last_seen: last
    }]->(source)
  )
  FOREACH (e IN CASE WHEN known IS NULL THEN [] ELSE [known] END |
    SET
      e.first_seen = CASE WHEN e.first_seen < first THEN e.first_seen ELSE first END,
      e.last_seen = CASE WHEN e.last_seen > last THEN e.last_seen ELSE last END
  )
}
