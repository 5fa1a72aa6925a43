// Set the version of a run, independent of its job's active version.
MATCH (r:Run {id: $id})
SET r.wanted_version = $version
