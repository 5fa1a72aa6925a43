// The task order, by path, in the versions of some runs.
UNWIND $ids AS id
MATCH (:Run {id: id})-[:RAN]->(:JobVersion)-[:CONTAINS*1..]->(first:TaskVersion)-[:BEFORE]->(then:TaskVersion)
RETURN id AS run, first.path AS first, then.path AS then
ORDER BY run, first, then
