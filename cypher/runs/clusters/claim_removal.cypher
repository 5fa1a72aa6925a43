// Claim a cluster for removal, until a deadline; no row if another process has the claim.
MATCH (c:Cluster {id: $id})
SET c.locked = true
REMOVE c.locked
WITH c
WHERE coalesce(c.next_at, c.begun_at) <= coalesce($now, datetime.realtime())
SET c.next_at = coalesce($now, datetime.realtime()) + $lease,
    c.tries = c.tries + 1
RETURN c.id AS id, c.name AS name, c.run_id AS run_id, c.batch AS batch, c.settings AS settings,
       c.created AS created, c.destroy AS destroy, c.source AS source, c.root AS root,
       c.tries AS tries, c.namespace AS namespace, coalesce($now, datetime.realtime()) AS now
