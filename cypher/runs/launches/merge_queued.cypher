// Queue a run of a job as requested by a user, or by a task of another run.
MATCH (j:Job {key: $job_key})
MERGE (r:Run {id: $run_id})
ON CREATE SET
  r.namespace = j.namespace,
  r.name = j.name,
  r.job_key = j.key,
  r.kind = j.kind,
  r.kind_said = '',
  r.state = 'PENDING',
  r.state_at = coalesce($now, datetime.realtime()),
  r.queued_at = coalesce($now, datetime.realtime()),
  r.created_at = coalesce($now, datetime.realtime()),
  r.launch = 'QUEUED',
  r.launches = 0,
  r.fence = 0,
  r.stub = false,
  r.params = $params,
  r.only = $only
MERGE (j)-[h:HAS_RUN]->(r)
ON CREATE SET h.adopted = false
WITH r WHERE NOT EXISTS { (:StateChange)-[:OF]->(r) }
CREATE (:StateChange {
  state: r.state, at: r.queued_at, recorded_at: r.queued_at, position: 0, unnumbered: true
})-[:OF]->(r)
WITH r
MATCH (by:Run {id: $asked_by})
CREATE (by)-[:ASKED_FOR]->(r)
