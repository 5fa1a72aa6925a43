// Clusters that no worker holds any more, and whose time to be removed has come.
MATCH (c:Cluster)
WHERE coalesce(c.next_at, c.begun_at) <= coalesce($now, datetime.realtime())
OPTIONAL MATCH (r:Run {id: c.run_id})
WITH c, r
WHERE r IS NULL OR r.launch IS NULL OR r.launch <> 'CLAIMED' OR r.fence <> c.fence
RETURN c.id AS id
ORDER BY id
