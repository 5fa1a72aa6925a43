// Lock pipelines, and return their states as far as the audit log shows them.
UNWIND $keys AS key
MATCH (n:Job {key: key})
WHERE n.current_version IS NOT NULL
SET n.locked = true
REMOVE n.locked
RETURN key, n {
  .current_version,
  .latest_version,
  .pinned_by,
  withdrawn: n.withdrawn_at IS NOT NULL
} AS state
