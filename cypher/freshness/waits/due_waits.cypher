// Waits that are due for a check, grouped by kind and awaited job.
WITH coalesce($now, datetime.realtime()) AS now
MATCH (r:Run)-[w:WAITS_ON]->(j:Job)
WHERE w.next_at <= now
CALL (w) {
  WITH w WHERE w.lease IS NOT NULL
  MATCH (l:Lease {name: w.lease})-[:HELD_BY]->(top:Run)
  WHERE top.launch = 'CLAIMED' AND top.fence = l.fence
    OR top.launch IS NOT NULL
    AND EXISTS { (:Run {id: l.run_id})-[d:WAITS_ON]->(:Sensor) WHERE d.asked IS NOT NULL }
  RETURN count(top) > 0 AS is_held
}
WITH j.key AS job_key, w.kind AS kind, w.freshness AS freshness, w.parts AS parts,
  w.submitted_at AS submitted_at, NOT is_held AS is_free,
  collect([r.id, toString(w.next_at)]) AS waits, now
ORDER BY job_key, kind
// One list is one message: a row for each submission would be thousands.
RETURN collect({
  job_key: job_key,
  kind: kind,
  freshness: freshness,
  parts: parts,
  submitted_at: toString(submitted_at),
  is_free: is_free,
  waits: waits,
  now: toString(now)
}) AS rows
