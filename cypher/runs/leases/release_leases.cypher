// End the waits of ended runs, free their leases, and wake the waits for these leases.
UNWIND $run_ids AS run_id
CALL (run_id) {
  MATCH (:Run {id: run_id})-[w:WAITS_ON]->(:Job)
  SET w.next_at = null, w.outcome = null
}
MATCH (l:Lease {run_id: run_id})
OPTIONAL MATCH (l)-[h:HELD_BY]->(:Run)
DELETE h
REMOVE l.run_id
WITH DISTINCT l
MATCH (:Job {key: l.job_key})<-[w:WAITS_ON {kind: 'SAME_TASK'}]-(:Run)
WHERE w.next_at IS NOT NULL
SET w.locked = true
REMOVE w.locked
WITH w WHERE w.next_at IS NOT NULL
SET w.next_at = coalesce($now, datetime.realtime())
