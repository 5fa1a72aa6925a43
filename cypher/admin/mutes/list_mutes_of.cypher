// The mutes that hold for the failures of a job now: its own and those of jobs above, the longest first.
MATCH (:Job {key: $job_key})<-[:PARENT_OF*0..]-(j:Job)<-[:MUTES]-(m:Mute)
WHERE m.expires_at > coalesce($now, datetime.realtime())
RETURN
  j.namespace AS namespace,
  j.fqn AS job,
  m.reason AS reason,
  m.author AS author,
  m.created_at AS created_at,
  m.expires_at AS expires_at
ORDER BY expires_at DESC, job
