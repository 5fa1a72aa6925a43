// Free the slots of ended tasks, and their places in queues.
UNWIND $run_ids AS run_id
MATCH (c:PoolClaim {run_id: run_id})
DELETE c
