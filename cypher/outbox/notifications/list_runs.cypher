// Runs that just reached one of some states, to notify of: no failures of muted jobs.
UNWIND $rows AS row
MATCH (r:Run {id: row.id})
WITH r, datetime(row.at) AS at
WHERE r.state IN $states AND at >= coalesce($now, datetime.realtime()) - $max_event_age
OPTIONAL MATCH (j:Job)-[:HAS_RUN]->(r)
WITH r, j, at
WHERE NOT r.state IN ['FAILED', 'KILLED'] OR NOT EXISTS {
  MATCH (m:Mute)-[:MUTES]->(:Job)-[:PARENT_OF*0..]->(j)
  WHERE m.expires_at > coalesce($now, datetime.realtime())
}
RETURN
  r.id AS id,
  r.state AS state,
  coalesce(j.namespace, r.namespace) AS namespace,
  coalesce(j.fqn, r.name) AS job,
  at,
  r.reason AS reason,
  coalesce(r.message, r.error) AS message,
  NOT EXISTS { (:Run)-[:PARENT_OF]->(r) } AS is_top
ORDER BY id
