// Forget what jobs read and wrote, to be told again from their runs.
UNWIND $keys AS key
MATCH (j:Job {key: key})
OPTIONAL MATCH (:Dataset)-[f:FEEDS]->(j)
DELETE f
WITH DISTINCT j
OPTIONAL MATCH (j)-[p:PRODUCES]->(:Dataset)
DELETE p
