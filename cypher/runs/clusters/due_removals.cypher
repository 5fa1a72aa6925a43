// Clusters without a worker that are due for removal.
MATCH (c:Cluster)
WHERE coalesce(c.next_at, c.begun_at) <= coalesce($now, datetime.realtime())
OPTIONAL MATCH (r:Run {id: c.run_id})
WITH c, r
WHERE r IS NULL OR r.launch IS NULL OR r.launch <> 'CLAIMED' OR r.fence <> c.fence
RETURN c.id AS id
ORDER BY id
