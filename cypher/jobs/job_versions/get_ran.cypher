// The version that a run used or will use.
MATCH (r:Run {id: $id})
RETURN coalesce(toStringOrNull(r.version), r.wanted_version, r.job_version) AS version
