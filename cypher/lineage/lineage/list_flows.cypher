// The data flows between some jobs and some datasets, in data direction.
UNWIND $jobs AS job
MATCH (j:Job {key: job})-[e:FEEDS|PRODUCES]-(d:Dataset)
WHERE coalesce(d.same_as, d.key) IN $datasets AND ($at IS NULL OR e.first_seen <= $at)
WITH coalesce(startNode(e).same_as, startNode(e).key) AS source,
     coalesce(endNode(e).same_as, endNode(e).key) AS target,
     min(e.first_seen) AS first_seen, max(e.last_seen) AS last_seen, sum(e.runs) AS runs
RETURN source, target,
       toString(first_seen) AS first_seen, toString(last_seen) AS last_seen, runs
ORDER BY source, target
