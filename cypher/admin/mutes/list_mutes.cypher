// The jobs whose failures are muted now, by name.
MATCH (m:Mute)-[:MUTES]->(j:Job)
WHERE m.expires_at > coalesce($now, datetime.realtime())
RETURN
  j.namespace AS namespace,
  j.fqn AS job,
  m.reason AS reason,
  m.author AS author,
  m.created_at AS created_at,
  m.expires_at AS expires_at
ORDER BY job, namespace
