// The process that holds a lock.
MATCH (l:Lease {name: $name})
RETURN l.holder AS holder
