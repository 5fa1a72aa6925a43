// The pairs of jobs and datasets with a data flow, in data direction.
UNWIND $jobs AS job
MATCH (j:Job {key: job})-[e:FEEDS|PRODUCES]-(d:Dataset)
WHERE coalesce(d.same_as, d.key) IN $datasets AND ($at IS NULL OR e.first_seen <= $at)
WITH DISTINCT coalesce(startNode(e).same_as, startNode(e).key) AS source,
     coalesce(endNode(e).same_as, endNode(e).key) AS target
ORDER BY source, target
RETURN collect([source, target]) AS rows
