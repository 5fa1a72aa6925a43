// The latest runs created in a time span, in order of creation.
MATCH (r:Run)
WHERE r.created_at >= $begin AND r.created_at < $end
WITH r
ORDER BY r.created_at DESC, r.id DESC
LIMIT $limit
WITH r
ORDER BY r.created_at, r.id
OPTIONAL MATCH (j:Job)-[:HAS_RUN]->(r)
RETURN collect({
  id: r.id,
  parent: [(p:Run)-[:PARENT_OF]->(r) | p.id][0],
  job_key: r.job_key,
  namespace: coalesce(j.namespace, r.namespace),
  name: coalesce(j.fqn, r.name, r.id),
  kind: coalesce(r.kind, j.kind),
  state: coalesce(r.state, 'PENDING'),
  created_at: toString(r.created_at),
  started_at: toString(r.started_at),
  ended_at: toString(r.ended_at),
  partition: r.partition,
  nominal_start: toString(r.nominal_start),
  has_run: coalesce(r.reason, '') <> 'UPSTREAM_FAILED',
  by_hand: EXISTS { (r)-[:RERUN_OF]->(:Run) } AND NOT EXISTS { (r)<-[:STARTED]-(:Firing) },
  version: toStringOrNull(r.version),
  row_count: reduce(rows = null, n IN [(r)-[w:WRITES]->() WHERE w.row_count IS NOT NULL | w.row_count]
                    | coalesce(rows, 0) + n)
}) AS rows
