// The active freshness terms, with the latest success of each job and write of each dataset.
UNWIND $keys AS key
// Step 1: choose the terms. Terms of a user have priority over stated ones.
OPTIONAL MATCH (given:Terms {key: key})
OPTIONAL MATCH (stated:Terms {key: 'stated:' + key})
WITH coalesce(given, stated) AS t WHERE t IS NOT NULL
// Step 2: skip hidden nodes, and jobs of withdrawn pipelines.
MATCH (n:Job|Dataset)-[:HAS_TERMS]->(t)
WHERE n.hidden_at IS NULL
  AND NOT EXISTS { (w:Job)-[:PARENT_OF*0..]->(n) WHERE w.withdrawn_at IS NOT NULL }
// Step 3: the time of the latest success. Only one part of the UNION finds rows for a node. If a sensor answers for the
// node, its time counts alone. A time that is too far ahead is wrong, and would count until it comes.
OPTIONAL MATCH (t)-[:WATCHES]->(s:Sensor)
CALL (n, t) {
  CALL (n, t) {
    // The key is null if another part of the UNION applies; then the index finds no run.
    // Runs of only some tasks (`only`) do not count as a success of the job.
    WITH CASE WHEN coalesce(t.counts, 'end') = 'end' THEN n.key END AS job_key
    MATCH (r:Run)
    WHERE r.job_key = job_key AND r.state = 'COMPLETED' AND r.ended_at <= $until
      AND size(coalesce(r.only, [])) = 0
    RETURN r.ended_at AS at
    ORDER BY r.job_key DESC, r.state DESC, r.ended_at DESC
    LIMIT 1
    UNION ALL
    // The end of the data is not indexed, so this part reads all successful runs of the job.
    WITH CASE WHEN t.counts = 'data_end' THEN n.key END AS job_key
    MATCH (r:Run)
    WHERE r.job_key = job_key AND r.state = 'COMPLETED' AND r.ended_at <= $until
      AND size(coalesce(r.only, [])) = 0
    // No data is newer than the run that made it.
    RETURN CASE WHEN r.nominal_end < r.ended_at THEN r.nominal_end ELSE r.ended_at END AS at
    UNION ALL
    // A run that was skipped because its inputs were unchanged confirms the success before it.
    WITH CASE WHEN t.unchanged THEN n.key END AS job_key
    MATCH (r:Run)
    WHERE r.job_key = job_key AND r.state = 'FRESH_SKIP' AND r.reason = 'UNCHANGED'
      AND r.ended_at <= $until
    RETURN r.ended_at AS at
    UNION ALL
    MATCH (n)-[:SAME_AS*0..1]->(same:Dataset)
    CALL (same) {
      MATCH (v:DatasetVersion)
      WHERE v.dataset_key = same.key AND v.written_at <= $until
      RETURN v.written_at AS at
      ORDER BY v.dataset_key DESC, v.written_at DESC
      LIMIT 1
    }
    RETURN at
  }
  RETURN max(at) AS last_at
}
// Step 4: the parents whose successes make a fresh job run again, if it began before them.
CALL (n) {
  MATCH (n)-[d:DEPENDS_ON {when_newer: 'rerun'}]->(p:Job)
  MATCH (own:Run)
  WHERE own.job_key = n.key AND own.state = 'COMPLETED' AND size(coalesce(own.only, [])) = 0
  WITH n, p, max(own.started_at) AS began
  WHERE EXISTS {
    MATCH (r:Run)
    WHERE r.job_key = p.key AND r.state = 'COMPLETED' AND r.ended_at > began
      AND size(coalesce(r.only, [])) = 0
  }
  RETURN collect(DISTINCT p.fqn) AS outdated_by
}
RETURN collect({
  key: n.key,
  is_job: n:Job,
  namespace: n.namespace,
  name: coalesce(n.fqn, n.name),
  max_age: t.max_age,
  since: t.since,
  zone: t.zone,
  counts: t.counts,
  any_partition: coalesce(t.any_partition, false),
  grace: t.grace,
  awaits: t.awaits,
  awaits_zone: t.awaits_zone,
  per: t.per,
  expected: coalesce(t.expected, []),
  stated: t.stated,
  set_at: toString(t.set_at),
  set_by: t.set_by,
  unchanged: coalesce(t.unchanged, false),
  last_at: toString(CASE WHEN s IS NULL THEN last_at ELSE s.source_at END),
  sensor: CASE WHEN s IS NOT NULL THEN {
    id: s.id,
    name: t.sensor,
    poke_interval: t.poke_interval,
    is_timed: s.is_timed,
    poked_at: toString(s.poked_at),
    error: s.error,
    failing_since: toString(s.failing_since)
  } END,
  outdated_by: outdated_by,
  terms_key: t.key,
  told: t.told,
  told_last: toString(t.told_last),
  told_parts: [(t)-[:HAS_PART]->(p:TermsPart) |
    {value: p.value, told: p.told, told_last: toString(p.told_last)}]
}) AS rows
