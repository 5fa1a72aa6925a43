// Note why a cluster could not be removed, and when that is tried again.
MATCH (c:Cluster {id: $id})
SET c.error = $error,
    c.next_at = coalesce($now, datetime.realtime()) + $delay
