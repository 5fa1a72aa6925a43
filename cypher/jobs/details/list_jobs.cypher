// Jobs by key, each with its ancestors from the root down, its data and its newest runs.
UNWIND $keys AS key
MATCH (j:Job {key: key})
// Step 1: the ancestors, root first.
CALL (j) {
  MATCH path = (a:Job)-[:PARENT_OF*]->(j)
  WITH a, length(path) AS distance
  ORDER BY distance DESC
  RETURN collect({key: a.key, namespace: a.namespace, name: a.fqn, simple_name: a.simple_name})
    AS ancestors
}
// Step 2: visible inputs and outputs.
CALL (j) {
  MATCH (d:Dataset)-[:FEEDS]->(j)
  WHERE d.hidden_at IS NULL
  OPTIONAL MATCH (first:Dataset {key: d.same_as})
  WITH DISTINCT coalesce(first, d) AS d
  ORDER BY d.namespace, d.name
  RETURN collect({namespace: d.namespace, name: d.name}) AS inputs
}
CALL (j) {
  MATCH (j)-[:PRODUCES]->(d:Dataset)
  WHERE d.hidden_at IS NULL
  OPTIONAL MATCH (first:Dataset {key: d.same_as})
  WITH DISTINCT coalesce(first, d) AS d
  ORDER BY d.namespace, d.name
  RETURN collect({namespace: d.namespace, name: d.name}) AS outputs
}
// Step 3: the creation time of the first run.
// Ordering by job_key too lets Neo4j read one entry of the index (job_key, created_at).
CALL (j) {
  MATCH (r:Run)
  WHERE r.job_key = j.key AND r.created_at IS NOT NULL
  WITH r
  ORDER BY r.job_key, r.created_at
  LIMIT 1
  RETURN collect(toString(r.created_at)) AS firsts
}
// Step 4: the newest runs, and the version of the newest one.
CALL (j, ancestors) {
  MATCH (r:Run)
  WHERE r.job_key = j.key AND r.created_at IS NOT NULL
  WITH r
  ORDER BY r.job_key DESC, r.created_at DESC, r.id DESC
  LIMIT $runs
  RETURN collect(r {
    .id, .partition, .params, .cost,
    parent: [(p:Run)-[:PARENT_OF]->(r) | p {.id, .namespace, .name}][0],
    namespace: j.namespace,
    top_namespace: coalesce(ancestors[0].namespace, j.namespace),
    name: j.fqn,
    simple_name: j.simple_name,
    state: coalesce(r.state, 'PENDING'),
    stub: coalesce(r.stub, false),
    created_at: toString(r.created_at),
    state_at: toString(r.state_at),
    started_at: toString(r.started_at),
    ended_at: toString(r.ended_at),
    nominal_start: toString(r.nominal_start),
    nominal_end: toString(r.nominal_end),
    version: coalesce(r.job_version, toStringOrNull(r.version)),
    mark: CASE WHEN r.marked_at IS NOT NULL THEN r {
      .state, reason: r.mark_reason, author: r.marked_by, before: r.marked_from, at: toString(r.marked_at)
    } END
  }) AS runs, collect(r.job_version)[0] AS ran
}
// Step 5: tags and declarations.
CALL (j) {
  MATCH (j)-[:TAGGED]->(t:Tag)
  WITH t.name AS tag ORDER BY tag
  RETURN collect(tag) AS tags
}
CALL (j) {
  MATCH (j)-[:HAS_DECLARATION]->(d:Declaration)
  RETURN collect(d.facts) AS declared
}
// Step 6: one map per job. `ran` is the version of a job without a definition.
WITH j, ancestors, inputs, outputs, firsts, runs, ran, declared, tags
ORDER BY j.fqn, j.namespace, j.key
RETURN collect({
  key: j.key,
  namespace: j.namespace,
  name: j.fqn,
  simple_name: j.simple_name,
  own_name: j.name,
  kind: j.kind,
  stub: coalesce(j.stub, false),
  version: coalesce(j.current_version, ran),
  ancestors: ancestors,
  inputs: inputs,
  outputs: outputs,
  created_at: firsts[0],
  runs: runs,
  declared: declared,
  tags: tags
}) AS rows
