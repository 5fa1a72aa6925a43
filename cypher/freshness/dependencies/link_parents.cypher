// Replace the dependencies of pipelines' tasks by their stated parents and terms.
CALL () {
  UNWIND $keys AS key
  MATCH (:Job {key: key})-[:PARENT_OF*0..]->(:Job)-[d:DEPENDS_ON]->(:Job)
  DELETE d
}
UNWIND $parents AS row
MATCH (child:Job {key: row.key})
MATCH (parent:Job {key: row.parent_key})
CREATE (child)-[d:DEPENDS_ON]->(parent)
SET d = row.terms
