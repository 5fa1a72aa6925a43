// The latest state of a thing that an action recorded, as JSON.
MATCH (e:AuditEntry {key: $key}) WHERE e.action = $action
RETURN e.after AS after
ORDER BY e.at DESC, e.id DESC
LIMIT 1
