// The upstream events of a run, or of the run that it repeats, oldest first; only the newest are kept.
MATCH (:Run {id: $id})-[:RERUN_OF*0..]->(first:Run)<-[:STARTED]-(f:Firing)
WITH DISTINCT f
MATCH (f)-[c:CONSUMED]->(what)
WITH c, what ORDER BY c.occurred_at DESC, c.key LIMIT $most
OPTIONAL MATCH (writer:Run)-[:WRITES]->(what)
WITH c, what, coalesce(writer, CASE WHEN what:Run THEN what END) AS r
OPTIONAL MATCH (j:Job)-[:HAS_RUN]->(r)
WITH c, what, r, j ORDER BY c.occurred_at, c.key
RETURN collect({
  status: c.status,
  at: toString(c.occurred_at),
  chosen: coalesce(c.chosen, true),
  job: j.fqn,
  run_id: r.id,
  started_at: toString(r.started_at),
  ended_at: toString(r.ended_at),
  event: CASE WHEN what:ExternalEvent THEN what.name END,
  zone: CASE WHEN what:Condition THEN what.zone END,
  params: coalesce(r.params, what.payload),
  emitted: r.emitted,
  reported: r.reported,
  datasets: COLLECT {
    MATCH (r)-[:PARENT_OF*0..]->(:Run)-[:WRITES]->(v:DatasetVersion)<-[:HAS_VERSION]-(d:Dataset)
    WHERE r = what OR v = what
    RETURN DISTINCT {
      namespace: d.namespace, name: d.name, version: v.key, partition: v.partition_key
    } AS dataset
    ORDER BY dataset.name, dataset.version
    LIMIT 1000
  }
}) AS rows
