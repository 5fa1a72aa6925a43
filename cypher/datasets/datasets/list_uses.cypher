// The datasets, each with the numbers of reading and writing jobs and the time of the last use.
MATCH (d:Dataset)
WHERE d.name IS NOT NULL AND d.hidden_at IS NULL
CALL (d) {
  OPTIONAL MATCH (d)-[:SAME_AS*0..1]->(:Dataset)-[e:FEEDS]->(:Job)
  RETURN count(e) AS readers, max(e.last_seen) AS read_at
}
CALL (d) {
  OPTIONAL MATCH (:Job)-[e:PRODUCES]->(:Dataset)<-[:SAME_AS*0..1]-(d)
  RETURN count(e) AS writers, max(e.last_seen) AS written_at
}
WITH d, readers, read_at, writers, written_at
ORDER BY d.namespace, d.name
RETURN collect({
  key: d.key,
  namespace: d.namespace,
  name: d.name,
  readers: readers,
  read_at: toString(read_at),
  writers: writers,
  written_at: toString(written_at)
}) AS rows
