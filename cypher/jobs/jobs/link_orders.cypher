// Record which jobs come before or after others, by the declarations of these; the last rules count.
UNWIND $rows AS row
MATCH (j:Job {key: row.job_key})
MATCH (d:Declaration {key: row.declaration_key})
CALL (j, d, row) {
  WITH j, d, row WHERE row.is_after
  MERGE (j)-[o:COMES_AFTER]->(d)
  WITH o, row WHERE o.said IS NULL OR row.said > o.said
  SET o.said = row.said, o.rules = row.rules, o.last_seen = datetime(row.last_seen)
}
CALL (j, d, row) {
  WITH j, d, row WHERE NOT row.is_after
  MERGE (j)-[o:COMES_BEFORE]->(d)
  WITH o, row WHERE o.said IS NULL OR row.said > o.said
  SET o.said = row.said, o.rules = row.rules, o.last_seen = datetime(row.last_seen)
}
