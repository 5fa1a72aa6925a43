// The pipelines that can be started and whose FQN contains a lower-case text; the one of this name first.
MATCH (j:Job {kind: 'pipeline'})
WHERE j.hidden_at IS NULL AND j.current_version IS NOT NULL AND toLower(j.fqn) CONTAINS $text
RETURN j.key AS key, j.namespace AS namespace, j.fqn AS name, j.kind AS kind, 0 AS rank,
       [] AS namespaces_above
ORDER BY toLower(name) <> $text, name, namespace
LIMIT $limit
