// Queue the runs of firings, with their parameters; a rerun follows the failed run.
UNWIND $rows AS row
MATCH (f:Firing {key: row.key})<-[:FIRED]-(t:Trigger)-[:STARTS]->(j:Job)
WITH row, f, t, j, coalesce($now, datetime.realtime()) AS now
CREATE (r:Run {
  id: row.run_id,
  namespace: j.namespace,
  name: j.name,
  job_key: j.key,
  kind: j.kind,
  kind_said: '',
  state: 'PENDING',
  state_at: now,
  queued_at: now + duration({seconds: row.delay}),
  created_at: now,
  launch: 'QUEUED',
  launches: 0,
  fence: 0,
  stub: false
})
SET r.params = row.params
CREATE (j)-[:HAS_RUN {adopted: false}]->(r)
CREATE (f)-[:STARTED]->(r)
CREATE (:StateChange {
  state: r.state, at: now, recorded_at: now, position: 0, unnumbered: true
})-[:OF]->(r)
SET f.state = 'PENDING', f.started_at = now, f.kept_back = null, f.held_until = null
WITH row, r
CALL (row, r) {
  MATCH (failed:Run {id: row.rerun_of})
  // It repeats what failed: one by hand may have been of some tasks, or with options.
  SET r.only = failed.only, r.ignore_upstream = failed.ignore_upstream,
      r.with_upstream = failed.with_upstream
  CREATE (r)-[:RERUN_OF]->(failed)
  WITH r, failed
  MATCH (failed)-[:RERUN_OF*0..]->(first:Run)
  WHERE NOT EXISTS { (first)-[:RERUN_OF]->(:Run) }
  SET r.rerun_number = COUNT { (:Run)-[:RERUN_OF*]->(first) }, r.rerun_policy = 'latest'
}
