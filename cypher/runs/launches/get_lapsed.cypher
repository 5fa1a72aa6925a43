// Whether the lease of a run has expired, or was renewed before the clock was put back.
WITH coalesce($now, datetime.realtime()) AS now
MATCH (r:Run {id: $id})
RETURN coalesce(r.lease_until < now, false)
  OR coalesce(r.leased_at > now + duration.between(r.leased_at, r.lease_until), false)
  AS is_lapsed
