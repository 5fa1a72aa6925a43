// Runs of failed attempts to notify of: none that failed long ago, and none of muted jobs.
UNWIND $rows AS row
WITH DISTINCT row.run_id AS id, datetime(row.at) AS at
WHERE at >= coalesce($now, datetime.realtime()) - $max_event_age
MATCH (r:Run {id: id})
OPTIONAL MATCH (j:Job)-[:HAS_RUN]->(r)
WITH DISTINCT r, j
WHERE NOT EXISTS {
  MATCH (m:Mute)-[:MUTES]->(:Job)-[:PARENT_OF*0..]->(j)
  WHERE m.expires_at > coalesce($now, datetime.realtime())
}
RETURN r.id AS id, coalesce(j.namespace, r.namespace) AS namespace, coalesce(j.fqn, r.name) AS job
ORDER BY id
