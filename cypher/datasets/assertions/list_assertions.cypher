// The assertions about datasets with their latest verdicts, the runs that gave them, and the versions.
UNWIND $keys AS key
MATCH (d:Dataset {key: key})
// Of one assertion under several names of the dataset the latest verdict counts.
CALL (d) {
  MATCH (d)-[:SAME_AS*0..1]->(:Dataset)-[:HAS_ASSERTION]->(a:Assertion)
  WITH a ORDER BY a.judged_at DESC, a.verdict = 'passed', a.verdict, a.key
  WITH a.name AS name, a.column AS column, collect(a)[0] AS a
  RETURN a
}
OPTIONAL MATCH (r:Run {id: a.run_id})
OPTIONAL MATCH (j:Job)-[:HAS_RUN]->(r)
CALL (d, a, r) {
  MATCH (d)-[:SAME_AS*0..1]->(m:Dataset)
  OPTIONAL MATCH (m)-[:HAS_VERSION]->(own:DatasetVersion)<-[:WRITES]-(r)
  CALL (m, a) {
    OPTIONAL MATCH (before:DatasetVersion)
    WHERE before.dataset_key = m.key AND before.written_at <= a.judged_at
    RETURN before ORDER BY before.dataset_key DESC, before.written_at DESC LIMIT 1
  }
  WITH own, before ORDER BY before.written_at DESC, before.key
  RETURN coalesce(min(own.key), collect(before.key)[0]) AS version
}
RETURN d.key AS dataset, a.name AS name, a.column AS column, a.verdict AS verdict, a.judged_at AS at,
       a.run_id AS run_id, j.fqn AS job, j.namespace AS job_namespace, version,
       a.expected AS expected, a.actual AS actual
ORDER BY dataset, column, name
