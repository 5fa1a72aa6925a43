// Running runs that take much longer than the newest completed runs of their job, unless muted.
MATCH (r:Run {state: 'RUNNING'})
WITH r, coalesce($now, datetime.realtime()) AS now
WHERE r.started_at < now - $slow_after
CALL (r) {
  MATCH (e:Run)
  WHERE e.job_key = r.job_key AND e.state = 'COMPLETED' AND e.ended_at IS NOT NULL
  WITH e
  ORDER BY e.ended_at DESC
  LIMIT $compared
  WITH duration.inSeconds(e.started_at, e.ended_at).seconds AS took
  WHERE took >= 0
  RETURN max(took) AS longest, count(*) AS completed
}
WITH r, now, longest, completed, duration.inSeconds(r.started_at, now).seconds AS lasts
WHERE completed >= $least AND lasts > longest * $slow_factor
MATCH (j:Job)-[:HAS_RUN]->(r)
WHERE NOT EXISTS {
  MATCH (m:Mute)-[:MUTES]->(:Job)-[:PARENT_OF*0..]->(j) WHERE m.expires_at > now
}
RETURN
  r.id AS id,
  j.namespace AS namespace,
  j.fqn AS job,
  r.started_at AS since,
  toFloat(lasts) AS seconds,
  toFloat(longest) AS longest,
  NOT EXISTS { (:Run)-[:PARENT_OF]->(r) } AS is_top
ORDER BY id
