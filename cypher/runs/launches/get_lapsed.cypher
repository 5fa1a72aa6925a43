// Whether the lease of a run has expired.
MATCH (r:Run {id: $id})
RETURN r.lease_until < coalesce($now, datetime.realtime()) AS is_lapsed
