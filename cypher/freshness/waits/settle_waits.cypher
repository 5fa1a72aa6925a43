// Delay waits to a later check, or end them; parked runs are queued again.
//
// What ended or woke a wait since it was judged was not seen by that: it stays as it is now.
CALL () {
  UNWIND $rows AS row
  UNWIND row.waits AS wait
  MATCH (r:Run {id: wait[0]})-[w:WAITS_ON {kind: row.kind}]->(j:Job {key: row.job_key})
  SET w.locked = true
  REMOVE w.locked
  WITH row, wait, w, coalesce($now, datetime.realtime()) AS now
  WHERE toString(w.next_at) = wait[1]
  WITH row, w, now, CASE
    WHEN row.is_met THEN 'MET'
    WHEN w.deadline <= now THEN 'LATE'
  END AS outcome
  WITH w, now, outcome, now + duration({microseconds: toInteger(w.recheck * 1000000)}) AS later
  SET w.outcome = outcome,
      w.next_at = CASE
        WHEN outcome IS NOT NULL THEN null
        WHEN w.deadline < later THEN w.deadline
        ELSE later
      END
  WITH w WHERE w.outcome IS NOT NULL
  RETURN DISTINCT w.root_id AS root_id
}
MATCH (top:Run {id: root_id})
SET top.locked = true
REMOVE top.locked
WITH top
CALL (top) {
  WITH top WHERE top.launch = 'PARKED'
  SET top.launch = 'QUEUED', top.queued_at = coalesce($now, datetime.realtime())
}
RETURN top.id AS root_id, top.wake_address AS address
ORDER BY root_id
