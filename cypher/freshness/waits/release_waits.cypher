// End the waits of runs; the nodes that they waited for stay linked.
UNWIND $run_ids AS run_id
MATCH (:Run {id: run_id})-[w:WAITS_ON]->(:Job)
SET w.next_at = null, w.outcome = null
