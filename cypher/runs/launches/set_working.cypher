// Note that a run does something again.
MATCH (r:Run {id: $id, fence: $fence})
REMOVE r.resting_since
