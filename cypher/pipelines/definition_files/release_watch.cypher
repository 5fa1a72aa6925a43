// Release the lease for watching the definitions of a host.
MATCH (l:Lease {name: 'definitions ' + $host, owner: $owner})
REMOVE l.owner, l.until
