// Create a pool, or change its number of slots.
MERGE (p:Pool {name: $name})
SET p.slots = $slots
