// Pin a pipeline, and remember which version is its latest.
MATCH (j:Job {key: $job_key})
SET j.latest_version = coalesce(j.latest_version, j.current_version),
    j.pinned_at = coalesce($now, datetime.realtime()),
    j.pinned_by = $by
