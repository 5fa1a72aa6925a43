// The values that the tasks of a job's current version declare to emit, by task.
MATCH (j:Job {key: $job_key})
MATCH (:JobVersion {hash: j.current_version})-[:CONTAINS*1..]->(t:TaskVersion)
WHERE t.emits IS NOT NULL
UNWIND range(0, size(t.emits) - 1) AS i
RETURN t.emits[i] AS name, t.emit_types[i] AS type, t.path AS task
ORDER BY task, name
