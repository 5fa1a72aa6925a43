// Store the waits of a task's run; a deadline is set when the wait begins.
UNWIND $rows AS row
MATCH (r:Run {id: row.run_id})
MATCH (j:Job {key: row.job_key})
MERGE (r)-[w:WAITS_ON {kind: row.kind}]->(j)
ON CREATE SET
  w.began_at = coalesce($now, datetime.realtime()),
  w.deadline = CASE WHEN row.wait IS NOT NULL
    THEN coalesce($now, datetime.realtime()) + duration({microseconds: row.wait}) END
SET w.root_id = row.root_id,
    w.lease = row.lease,
    w.freshness = row.freshness,
    w.parts = row.parts,
    w.submitted_at = datetime(row.submitted_at),
    w.recheck = row.recheck,
    w.outcome = null,
    w.next_at = coalesce($now, datetime.realtime()) + $first
RETURN count(w) AS kept
