// Store the address for nudges of a run's process.
MATCH (r:Run {id: $id, launch: 'CLAIMED', fence: $fence})
SET r.wake_address = $address
