// Datasets by key, each with its columns in order and the worst latest verdict under all its names.
UNWIND $keys AS key
MATCH (d:Dataset {key: key})
CALL (d) {
  // Of columns with one name in datasets that are the same, the one of the dataset itself counts.
  MATCH (d)-[:SAME_AS*0..1]->(m:Dataset)-[:HAS_FIELD]->(f:Field)
  WHERE coalesce(f.current, true)
  WITH f, m <> d AS is_other, m.key AS of
  ORDER BY is_other, of
  WITH f.name AS name, collect(f)[0] AS f, collect(is_other)[0] AS is_other
  ORDER BY is_other, f.ordinal, name
  RETURN collect({key: f.key, name: name, type: f.type}) AS columns
}
CALL (d) {
  OPTIONAL MATCH (d)-[:SAME_AS*0..1]->(:Dataset)-[:HAS_ASSERTION]->(a:Assertion)
  // Of one assertion under several names of the dataset the latest verdict counts.
  WITH a ORDER BY a.judged_at DESC, a.verdict = 'passed', a.verdict
  WITH a.name AS name, a.column AS column, collect(a.verdict)[0] AS verdict
  WITH collect(verdict) AS verdicts
  RETURN [verdict IN ['failed', 'warned', 'passed'] WHERE verdict IN verdicts][0] AS quality
}
RETURN d.key AS key, d.namespace AS namespace, d.name AS name, columns, quality
ORDER BY name, namespace
