// Note on a lock that its owner reads, from now on, the events that arrive.
MATCH (l:Lease {name: $name, owner: $owner})
SET l:Reading, l.read_from = datetime.realtime()
