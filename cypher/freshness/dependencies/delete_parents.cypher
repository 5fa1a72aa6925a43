// Delete the dependencies of pipelines' tasks.
UNWIND $keys AS key
MATCH (:Job {key: key})-[:PARENT_OF*0..]->(:Job)-[d:DEPENDS_ON]->(:Job)
DELETE d
