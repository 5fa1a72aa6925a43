// State changes in the order of their numbers, each with its run and job.
MATCH (c:StateChange)-[:OF]->(r:Run)
WHERE c.number > $after AND c.number <= $until
OPTIONAL MATCH (j:Job)-[:HAS_RUN]->(r)
OPTIONAL MATCH (p:Run)-[:PARENT_OF]->(r)
OPTIONAL MATCH (t:Trigger)-[:FIRED]->(f:Firing)-[:STARTED]->(r)
WITH c, r, j, p, t, f ORDER BY c.number
RETURN collect({
  number: c.number,
  run_id: r.id,
  state: c.state,
  at: toString(c.at),
  recorded_at: toString(c.recorded_at),
  reason: c.reason,
  message: c.message,
  namespace: coalesce(j.namespace, r.namespace),
  top_namespace: coalesce(
    [(top:Job)-[:PARENT_OF*]->(j) WHERE NOT EXISTS { (:Job)-[:PARENT_OF]->(top) } | top.namespace][0],
    j.namespace,
    r.namespace),
  application: j.application,
  name: coalesce(j.fqn, r.name),
  kind: coalesce(r.kind, j.kind),
  version: r.version,
  parent_id: p.id,
  queued_at: toString(r.queued_at),
  started_at: toString(r.started_at),
  params: r.params,
  emitted: r.emitted,
  attempt: r.attempt,
  log: r.log,
  partition: r.partition,
  nominal_start: toString(r.nominal_start),
  nominal_end: toString(r.nominal_end),
  trigger: t.name,
  firing: f.key
}) AS rows
