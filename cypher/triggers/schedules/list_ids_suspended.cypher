// The triggers of a namespace that were suspended within a time window.
MATCH (t:Trigger)-[:STARTS]->(:Job {namespace: $namespace})
WHERE $since <= t.suspended_at < $until AND NOT t.enabled AND t.deleted_at IS NULL
RETURN t.id AS id
ORDER BY id
LIMIT $most
