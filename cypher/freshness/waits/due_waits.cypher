// Waits that are due for a check, grouped by kind and awaited job.
WITH coalesce($now, datetime.realtime()) AS now
MATCH (r:Run)-[w:WAITS_ON]->(j:Job)
WHERE w.next_at <= now
OPTIONAL MATCH (l:Lease {name: w.lease})-[:HELD_BY]->(top:Run {launch: 'CLAIMED'})
WHERE top.fence = l.fence
RETURN
  j.key AS job_key, w.kind AS kind, w.freshness AS freshness, w.parts AS parts,
  w.submitted_at AS submitted_at, top IS NULL AS is_free, collect(r.id) AS run_ids, now AS now
ORDER BY job_key, kind
