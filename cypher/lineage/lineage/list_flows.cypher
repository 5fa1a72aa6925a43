// The data flows between some jobs and some datasets, in data direction.
UNWIND $jobs AS job
MATCH (j:Job {key: job})-[e:FEEDS|PRODUCES]-(d:Dataset)
WHERE d.key IN $datasets AND ($at IS NULL OR e.first_seen <= $at)
RETURN startNode(e).key AS source, endNode(e).key AS target,
       toString(e.first_seen) AS first_seen, toString(e.last_seen) AS last_seen, e.runs AS runs
ORDER BY source, target
