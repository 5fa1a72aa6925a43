// Entries of the audit log about a thing by its key, name or job, newest first or oldest first.
CALL () {
  MATCH (e:AuditEntry {key: $about})
  RETURN e
  UNION
  MATCH (e:AuditEntry {name: $about})
  RETURN e
  UNION
  MATCH (e:AuditEntry {job: $about})
  RETURN e
}
WITH e
WHERE e.at >= datetime(coalesce($since, '0001-01-01T00:00:00Z'))
  AND e.at < datetime(coalesce($until, '9999-12-31T23:59:59.999999999Z'))
  AND ($newest OR e.at > datetime(coalesce($since, '0001-01-01T00:00:00Z')) OR e.id > $beyond)
  AND ($actor IS NULL OR e.actor = $actor)
  AND ($action IS NULL OR e.action = $action OR e.thing = $action)
RETURN e.id AS id, e.at AS at, e.actor AS actor, e.address AS address, e.action AS action,
       e.thing AS thing, e.key AS key, e.name AS name, e.job AS job, e.namespace AS namespace,
       e.before AS before, e.after AS after
ORDER BY CASE WHEN $newest THEN at END DESC, CASE WHEN $newest THEN id END DESC, at ASC, id ASC
SKIP $offset
LIMIT $limit
