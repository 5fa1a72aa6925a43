// Forget what jobs read and wrote, and of which columns, to be told again from their runs.
UNWIND $keys AS key
MATCH (j:Job {key: key})
CALL (j) {
  MATCH (:Dataset)-[f:FEEDS]->(j)
  DELETE f
}
CALL (j) {
  MATCH (j)-[p:PRODUCES]->(:Dataset)
  DELETE p
}
CALL (key) {
  MATCH (:Field)-[x:DERIVED_FROM {job_key: key}]->(:Field)
  DELETE x
}
