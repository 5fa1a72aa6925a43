// The state that earlier launches left below a run, without lost work: ends, waits, open groups.
MATCH (:Run {id: $id})-[:PARENT_OF*1..]->(r:Run)
WHERE coalesce(r.reason, '') <> 'LOST' AND r.state IN
  ['WAITING', 'RUNNING', 'COMPLETED', 'FAILED', 'KILLED', 'FRESH_SKIP', 'SKIPPED']
RETURN DISTINCT r.id AS id, r.state AS state, r.reason AS reason, r.emitted AS emitted,
       r.output AS output, r.attempt AS attempt
ORDER BY id
