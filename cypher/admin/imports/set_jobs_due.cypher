// Note that the jobs of runs and declarations are to be told again what they are.
CALL () {
  UNWIND $runs AS id
  MATCH (j:Job)-[:HAS_RUN]->(:Run {id: id}) RETURN j
  UNION
  UNWIND $declarations AS key
  MATCH (j:Job)-[:HAS_DECLARATION]->(:Declaration {key: key}) RETURN j
}
SET j.unsettled = 'ADOPTION'
