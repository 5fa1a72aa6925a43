// Say where the process that carries out a run is nudged.
MATCH (r:Run {id: $id, launch: 'CLAIMED', fence: $fence})
SET r.wake_address = $address
