// The pause of all triggers, until a daemon has ended it.
MATCH (p:Pause {id: 'all'}) WHERE p.since IS NOT NULL
RETURN
  p.reason AS reason, p.author AS author, p.since AS since, p.until AS until,
  coalesce(p.until <= coalesce($now, datetime.realtime()), false) AS is_over
