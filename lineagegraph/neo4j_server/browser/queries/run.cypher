// A run with its parts, reads, writes, upstream firing and started runs.
MATCH (r:Run {id: $key})
CALL (r) {
  MATCH path = (r)-[:PARENT_OF*0..6]->(:Run)
  RETURN path LIMIT 150
  UNION
  MATCH path = (r)-[:PARENT_OF*0..6]->(:Run)-[:READS|WRITES]->()
  RETURN path LIMIT 150
  UNION
  MATCH path = (r)-[:HAS_RUN|RAN|STARTED|CONSUMED|RERUN_OF|WAITS_ON]-()
  RETURN path LIMIT 50
}
RETURN path
