// How many commits were heartbeats of processes that are known.
MATCH (p:Process)
RETURN coalesce(sum(p.heartbeats), 0) AS heartbeats
