// Store the address for nudges of a run's process.
MATCH (r:Run {id: $id, launch: 'CLAIMED', fence: $fence})
USING INDEX r:Run(id)
SET r.wake_address = $address
