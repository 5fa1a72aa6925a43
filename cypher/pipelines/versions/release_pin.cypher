// Release a pipeline from its version.
MATCH (j:Job {key: $job_key})
REMOVE j.pinned_at, j.pinned_by, j.latest_version
