// Runs that have been queued for too long without a worker, unless muted or cancelled.
MATCH (r:Run {launch: 'QUEUED'})
WITH r, coalesce($now, datetime.realtime()) AS now
WHERE r.queued_at < now - $late_after AND r.cancel_requested IS NULL
MATCH (j:Job)-[:HAS_RUN]->(r)
WHERE NOT EXISTS {
  MATCH (m:Mute)-[:MUTES]->(:Job)-[:PARENT_OF*0..]->(j) WHERE m.expires_at > now
}
RETURN
  r.id AS id,
  j.namespace AS namespace,
  j.fqn AS job,
  r.queued_at AS since,
  toFloat(duration.inSeconds(r.queued_at, now).seconds) AS seconds,
  NULL AS longest,
  NOT EXISTS { (:Run)-[:PARENT_OF]->(r) } AS is_top
ORDER BY id
