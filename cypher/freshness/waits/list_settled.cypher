// The runs with an ended wait.
UNWIND $ids AS id
MATCH (:Run {id: id})-[w:WAITS_ON]->(:Job)
WHERE w.outcome IS NOT NULL
RETURN DISTINCT id AS id
ORDER BY id
