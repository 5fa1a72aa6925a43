// Record a failed removal of a cluster, and the time of the next attempt.
MATCH (c:Cluster {id: $id})
SET c.error = $error,
    c.next_at = coalesce($now, datetime.realtime()) + $delay
