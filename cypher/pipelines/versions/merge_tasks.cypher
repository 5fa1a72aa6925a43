// Store tasks of versions, linked to what contains them and to their successors.
UNWIND $rows AS row
MERGE (t:TaskVersion {hash: row.hash})
ON CREATE SET t += row.properties
// All tasks exist before the first is linked.
WITH collect([t, row]) AS tasks
UNWIND tasks AS task
WITH task[0] AS t, task[1] AS row
// A version, or the task of a group or nested pipeline.
MATCH (container:JobVersion|TaskVersion {hash: row.container_hash})
MERGE (container)-[:CONTAINS]->(t)
WITH t, row
UNWIND row.after AS hash
MATCH (first:TaskVersion {hash: hash})
MERGE (first)-[:BEFORE]->(t)
