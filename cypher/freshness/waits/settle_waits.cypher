// Delay waits to a later check, or end them; parked runs are queued again.
CALL () {
  UNWIND $rows AS row
  UNWIND row.run_ids AS run_id
  MATCH (r:Run {id: run_id})-[w:WAITS_ON {kind: row.kind}]->(j:Job {key: row.job_key})
  WITH row, w, coalesce($now, datetime.realtime()) AS now
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
