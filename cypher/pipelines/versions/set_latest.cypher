// Remember the latest versions of pinned pipelines, which new runs do not take.
UNWIND $rows AS row
MATCH (j:Job {key: row.job_key}) WHERE j.pinned_at IS NOT NULL
SET j.latest_version = row.hash
