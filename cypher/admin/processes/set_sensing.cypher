// Store the counts and recent delays of a sensor process, which is a heartbeat, too.
MATCH (p:Process {id: $id})
SET p += $numbers,
    p.heartbeats = coalesce(p.heartbeats, 0) + 1
