// Count the entries of the audit log in a time span.
MATCH (e:AuditEntry)
WHERE e.at >= datetime(coalesce($since, '0001-01-01T00:00:00Z'))
  AND e.at < datetime(coalesce($until, '9999-12-31T23:59:59.999999999Z'))
  AND ($actor IS NULL OR e.actor = $actor)
  AND ($action IS NULL OR e.action = $action OR e.thing = $action)
RETURN count(*) AS entries
