// Running external runs that are silent for longer than their job or namespace allows.
OPTIONAL MATCH (ruled:Job) WHERE ruled.silent_after > 0
WITH min(ruled.silent_after) AS own, coalesce($now, datetime.realtime()) AS now
WITH now, CASE WHEN own < $shortest THEN own ELSE coalesce($shortest, own) END AS shortest
WHERE shortest IS NOT NULL
MATCH (r:Run) WHERE r.awaited_since < now - duration({seconds: shortest})
WITH now, r.job_key AS job_key, collect(r) AS runs
MATCH (j:Job {key: job_key})
WITH now, runs, j, CASE WHEN $inherit THEN
  [(top:Job)-[:PARENT_OF*]->(j) WHERE NOT EXISTS { (:Job)-[:PARENT_OF]->(top) } | top.namespace][0]
END AS top
WITH now, runs, coalesce(j.silent_after, $ages[coalesce(top, j.namespace)], $ages['*'], 0) AS seconds
WHERE seconds > 0
UNWIND runs AS r
WITH r, now, seconds WHERE r.awaited_since < now - duration({seconds: seconds})
  AND NOT EXISTS { MATCH (ours:Run)-[:PARENT_OF*0..]->(r) WHERE ours.queued_at IS NOT NULL }
RETURN r.id AS id, seconds
ORDER BY r.awaited_since, id
LIMIT $limit
