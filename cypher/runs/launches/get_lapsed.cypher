// Say whether the lease of a run has ended.
MATCH (r:Run {id: $id})
RETURN r.lease_until < coalesce($now, datetime.realtime()) AS is_lapsed
