// Record that a waiting run is working again.
MATCH (r:Run {id: $id, fence: $fence})
REMOVE r.resting_since
