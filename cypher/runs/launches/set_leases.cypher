// Keep the leases of runs whose worker process lives and has not given a sign of life itself.
UNWIND $ids AS id
MATCH (r:Run {id: id, launch: 'CLAIMED', owner: $owner})
SET r.lease_until = coalesce($now, datetime.realtime()) + $lease
