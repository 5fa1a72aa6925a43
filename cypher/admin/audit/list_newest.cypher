// Entries of the audit log in a time span, newest first.
MATCH (e:AuditEntry)
WHERE e.at >= datetime(coalesce($since, '0001-01-01T00:00:00Z'))
  AND e.at < datetime(coalesce($until, '9999-12-31T23:59:59.999999999Z'))
  AND ($actor IS NULL OR e.actor = $actor)
  AND ($action IS NULL OR e.action = $action OR e.thing = $action)
RETURN e.id AS id, e.at AS at, e.actor AS actor, e.address AS address, e.action AS action,
       e.thing AS thing, e.key AS key, e.name AS name, e.job AS job, e.namespace AS namespace,
       e.before AS before, e.after AS after
ORDER BY e.at DESC, e.id DESC
SKIP $offset
LIMIT $limit
