// The jobs of which firings in some states have no notification, with the states.
MATCH (f:Firing)
WHERE f.untold_at IS NOT NULL AND f.state IN $states
MATCH (f)<-[:FIRED]-(:Trigger)-[:STARTS]->(j:Job)
RETURN DISTINCT j.key AS job_key, j.namespace AS namespace, j.fqn AS job, f.state AS state
ORDER BY job_key, state
