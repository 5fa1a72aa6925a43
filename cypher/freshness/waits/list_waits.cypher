// The waits of a task's run.
MATCH (:Run {id: $id})-[w:WAITS_ON]->(j:Job)
RETURN j.key AS job_key, w.kind AS kind, w.began_at AS began_at, w.deadline AS deadline
ORDER BY job_key, kind
