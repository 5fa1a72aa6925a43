// The triggers of an application with a name or id.
CALL () {
  MATCH (t:Trigger {name: $name})
  RETURN t
  UNION
  MATCH (t:Trigger {id: $name})
  RETURN t
}
MATCH (t)-[:STARTS]->(:Job {namespace: $namespace, application: $application})
WHERE t.deleted_at IS NULL
RETURN t.id AS id
ORDER BY id
