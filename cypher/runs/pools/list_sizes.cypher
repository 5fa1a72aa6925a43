// The numbers of slots of pools.
UNWIND $names AS name
MATCH (p:Pool {name: name})
RETURN p.name AS name, p.slots AS slots
ORDER BY name
