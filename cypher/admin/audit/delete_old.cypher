// Delete some entries of the audit log that are older than an age, and count them.
MATCH (e:AuditEntry)
WHERE e.at < coalesce($now, datetime.realtime()) - $age
WITH e LIMIT $limit
DELETE e
RETURN count(*) AS deleted
