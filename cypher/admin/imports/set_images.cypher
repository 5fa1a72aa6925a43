// Add later reports of other senders to the earlier facts that an import stored.
UNWIND $rows AS row
CALL (row) {
  WITH row WHERE row.kind = 'RUN'
  MATCH (r:Run {id: row.key}) RETURN r AS one
  UNION ALL
  WITH row WHERE row.kind = 'DECLARATION'
  MATCH (d:Declaration {key: row.key}) RETURN d AS one
  UNION ALL
  WITH row WHERE row.kind = 'DATASET'
  MATCH (d:Dataset {key: row.key}) RETURN d AS one
}
MATCH (:Import {id: $import_id})-[t:TOUCHED]->(one)
SET t.facts = row.facts
