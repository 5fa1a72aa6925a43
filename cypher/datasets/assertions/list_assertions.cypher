// The assertions about datasets with their latest verdicts, the runs that gave them, and the versions.
UNWIND $keys AS key
MATCH (d:Dataset {key: key})-[:HAS_ASSERTION]->(a:Assertion)
OPTIONAL MATCH (r:Run {id: a.run_id})
OPTIONAL MATCH (j:Job)-[:HAS_RUN]->(r)
CALL (d, a, r) {
  OPTIONAL MATCH (d)-[:HAS_VERSION]->(own:DatasetVersion)<-[:WRITES]-(r)
  OPTIONAL MATCH (before:DatasetVersion)
  WHERE own IS NULL AND before.dataset_key = d.key AND before.written_at <= a.judged_at
  RETURN coalesce(own.key, before.key) AS version
  ORDER BY before.written_at DESC, version
  LIMIT 1
}
RETURN d.key AS dataset, a.name AS name, a.column AS column, a.verdict AS verdict, a.judged_at AS at,
       a.run_id AS run_id, j.fqn AS job, j.namespace AS job_namespace, version,
       a.expected AS expected, a.actual AS actual
ORDER BY dataset, column, name
