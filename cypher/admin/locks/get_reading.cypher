// The time from which events arrived that the owner of a lock reads.
MATCH (l:Lease {name: $name, owner: $owner})
RETURN l.read_from AS read_from
