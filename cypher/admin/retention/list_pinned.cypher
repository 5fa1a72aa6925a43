// The definitions in force whose reruns take a certain version.
MATCH (j:Job) WHERE j.current_version IS NOT NULL
MATCH (v:JobVersion {hash: j.current_version})
WHERE v.definition CONTAINS '"rerun":"pinned:'
RETURN v.definition AS definition
ORDER BY definition
