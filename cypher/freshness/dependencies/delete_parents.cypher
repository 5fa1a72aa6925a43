// Delete the dependencies of pipelines' tasks, and return the parents that only definitions name.
UNWIND $keys AS key
MATCH (:Job {key: key})-[:PARENT_OF*0..]->(:Job)-[d:DEPENDS_ON]->(p:Job)
DELETE d
WITH DISTINCT p WHERE p.stub
RETURN p.key AS key
ORDER BY key
