// Delete the reads, writes, columns, order and facets of jobs before they are rebuilt from their runs.
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
CALL (j) {
  MATCH (j)-[o:COMES_AFTER|COMES_BEFORE|HAS_FACET]->(:Declaration|Facet)
  DELETE o
}
CALL (key) {
  MATCH (:Field)-[x:DERIVED_FROM {job_key: key}]->(:Field)
  DELETE x
}
CALL (key) {
  MATCH (g:ColumnSet {job_key: key})
  DETACH DELETE g
}
