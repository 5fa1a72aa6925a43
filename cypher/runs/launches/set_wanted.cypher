// Settle which version a run is to run, whichever its job has in force.
MATCH (r:Run {id: $id})
SET r.wanted_version = $version
