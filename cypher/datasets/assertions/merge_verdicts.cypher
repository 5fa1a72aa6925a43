// Record the verdicts that runs gave about datasets, take back some, and record those without a run.
CALL () {
  UNWIND $given + $stated AS row
  MATCH (d:Dataset {key: row.dataset_key})
  MERGE (a:Assertion {key: row.key})
  ON CREATE SET a.dataset_key = row.dataset_key, a.name = row.name, a.column = row.column
  MERGE (d)-[:HAS_ASSERTION]->(a)
}
CALL () {
  UNWIND $given AS row
  MATCH (r:Run {id: row.run_id})
  MATCH (a:Assertion {key: row.key})
  MERGE (r)-[j:JUDGED]->(a)
  SET j.verdict = row.verdict, j.rank = row.rank, j.at = datetime(row.at),
      j.expected = row.expected, j.actual = row.actual
}
CALL () {
  UNWIND $withdrawn AS row
  MATCH (:Run {id: row.run_id})-[j:JUDGED]->(:Assertion {key: row.key})
  DELETE j
}
CALL () {
  UNWIND $stated AS row
  MATCH (:Dataset {key: row.dataset_key})-[h:HAS_ASSERTION]->(:Assertion {key: row.key})
  SET h.verdict = row.verdict, h.rank = row.rank, h.at = datetime(row.at),
      h.expected = row.expected, h.actual = row.actual
}
