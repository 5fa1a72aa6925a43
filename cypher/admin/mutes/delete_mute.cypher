// End the mute of a job, and return whether it had one that was active.
MATCH (m:Mute)-[:MUTES]->(:Job {key: $job_key})
WITH m, m.expires_at > coalesce($now, datetime.realtime()) AS is_active
DETACH DELETE m
WITH is_active WHERE is_active
RETURN count(*) > 0 AS ended
