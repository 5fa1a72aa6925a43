// Start partitions of a backfill: queue a run of the job for each.
MATCH (b:Backfill {id: $id})-[:OF]->(j:Job)
UNWIND $rows AS row
MATCH (p:BackfillPartition {backfill_id: $id, number: row.number})
WHERE p.state = 'UNSTARTED'
SET p.state = 'STARTED'
WITH row, b, p, j, coalesce($now, datetime.realtime()) AS now
CREATE (r:Run {
  id: row.run_id,
  namespace: j.namespace,
  name: j.name,
  job_key: j.key,
  kind: j.kind,
  kind_said: '',
  state: 'PENDING',
  state_at: now,
  queued_at: now,
  created_at: now,
  launch: 'QUEUED',
  launches: 0,
  fence: 0,
  stub: false,
  params: p.params
})
// Of all partitions, again: also where a success of today would be new enough.
SET r.partition = p.partition
FOREACH (again IN CASE b.which WHEN 'ALL' THEN [r] ELSE [] END |
  SET again.force = true, again.submitted_at = b.created_at
)
CREATE (j)-[:HAS_RUN {adopted: false}]->(r)
CREATE (p)-[:STARTED]->(r)
CREATE (:StateChange {
  state: r.state, at: now, recorded_at: now, position: 0, unnumbered: true
})-[:OF]->(r)
RETURN r.id AS id
