// Let runs wait no more; what they waited for stays to be seen.
UNWIND $run_ids AS run_id
MATCH (:Run {id: run_id})-[w:WAITS_ON]->(:Job)
SET w.next_at = null, w.outcome = null
