// Give the turn to watch the definitions of a host back.
MATCH (l:Lease {name: 'definitions ' + $host, owner: $owner})
REMOVE l.owner, l.until
