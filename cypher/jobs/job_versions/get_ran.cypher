// The version that a run ran, or is to run.
MATCH (r:Run {id: $id})
RETURN coalesce(toStringOrNull(r.version), r.wanted_version, r.job_version) AS version
