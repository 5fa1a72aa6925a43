// The time at which a job was deleted, if it was and has not come back.
MATCH (j:Job {key: $key})
WHERE j.hidden_at IS NOT NULL
RETURN j.hidden_at AS at
