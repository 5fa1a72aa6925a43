// The active definitions whose reruns use a fixed version.
MATCH (j:Job) WHERE j.current_version IS NOT NULL
MATCH (v:JobVersion {hash: j.current_version})
WHERE v.definition CONTAINS '"rerun":"pinned:'
RETURN v.definition AS definition
ORDER BY definition
