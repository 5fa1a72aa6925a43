// Mark the jobs of runs and declarations to be rebuilt.
CALL () {
  UNWIND $runs AS id
  MATCH (j:Job)-[:HAS_RUN]->(:Run {id: id}) RETURN j
  UNION
  UNWIND $declarations AS key
  MATCH (j:Job)-[:HAS_DECLARATION]->(:Declaration {key: key}) RETURN j
}
SET j.unsettled = 'ADOPTION'
