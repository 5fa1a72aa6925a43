// Jobs by key, each with its ancestors from the root down, its data and its newest runs.
UNWIND $keys AS key
MATCH (j:Job {key: key})
// Step 1: the ancestors, root first.
CALL (j) {
  MATCH path = (a:Job)-[:PARENT_OF*]->(j)
  WITH a, length(path) AS distance
  ORDER BY distance DESC
  RETURN collect([a.key, a.namespace, a.fqn, a.simple_name]) AS ancestors,
         collect(a.namespace)[0] AS top_namespace
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
// Step 4: the newest runs, and the version of the newest one. A run is a list in the order of the
// fields of RunDetailRow, as `list_runs` returns it.
CALL (j, top_namespace) {
  MATCH (r:Run)
  WHERE r.job_key = j.key AND r.created_at IS NOT NULL
  WITH r
  ORDER BY r.job_key DESC, r.created_at DESC, r.id DESC
  LIMIT $runs
  OPTIONAL MATCH (p:Run)-[:PARENT_OF]->(r)
  WITH r, CASE WHEN p IS NOT NULL THEN [p.id, p.namespace, p.name] END AS parent
  ORDER BY r.job_key DESC, r.created_at DESC, r.id DESC
  RETURN collect([
    r.id,
    parent,
    j.namespace,
    coalesce(top_namespace, j.namespace),
    j.fqn,
    j.simple_name,
    coalesce(r.state, 'PENDING'),
    coalesce(r.stub, false),
    toString(r.created_at),
    toString(r.state_at),
    toString(r.started_at),
    toString(r.ended_at),
    toString(r.nominal_start),
    toString(r.nominal_end),
    r.partition,
    r.params,
    r.cost,
    coalesce(r.job_version, toStringOrNull(r.version)),
    CASE WHEN r.marked_at IS NOT NULL THEN r {
      .state, reason: r.mark_reason, author: r.marked_by, before: r.marked_from, at: toString(r.marked_at)
    } END
  ]) AS runs, collect(r.job_version)[0] AS ran
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
// Step 6: one list per job. `ran` is the version of a job without a definition.
WITH j.key AS key, j.namespace AS namespace, j.fqn AS name, j.simple_name AS simple_name,
     j.name AS own_name, j.kind AS kind, coalesce(j.stub, false) AS stub,
     coalesce(j.current_version, ran) AS version, ancestors, inputs, outputs,
     firsts[0] AS created_at, runs, declared, tags
ORDER BY name, namespace, key
RETURN collect([
  key, namespace, name, simple_name, own_name, kind, stub, version, ancestors, inputs, outputs,
  created_at, runs, declared, tags
]) AS rows
