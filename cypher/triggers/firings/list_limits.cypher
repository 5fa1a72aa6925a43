// The limits that currently hold a firing, with their earliest ends; those of times of day are elsewhere.
MATCH (f:Firing {key: $key})<-[:FIRED]-(t:Trigger)-[:STARTS]->(j:Job)
WITH f, t, j, coalesce($now, datetime.realtime()) AS now
// Each part of the UNION is one kind of limit. It returns a row only if the limit holds the
// firing now; `until` is null if the end of the limit is unknown.
CALL (f, t, j, now) {
  MATCH (t)-[:LIMITED_BY]->(k:Constraint {kind: 'concurrency'})
  WITH k, COUNT { MATCH (r:Run {job_key: j.key}) WHERE r.launch IS NOT NULL } AS active
  WHERE active >= k.limit
  RETURN k.kind AS kind, k.otherwise AS otherwise, null AS until,
    active + ' of at most ' + k.limit + ' runs go on' AS text
  UNION ALL
  MATCH (t)-[:LIMITED_BY]->(k:Constraint {kind: 'delay'})
  WITH k, CASE k.since WHEN 'first' THEN f.first_at ELSE f.fired_at END
    + duration({seconds: k.seconds}) AS until
  WHERE until > now
  RETURN k.kind AS kind, k.otherwise AS otherwise, until, 'it is delayed' AS text
  UNION ALL
  // The newest run by index: ordering by job_key too avoids a sort.
  MATCH (t)-[:LIMITED_BY]->(k:Constraint {kind: 'gap'})
  MATCH (r:Run) WHERE r.job_key = j.key AND r.created_at <= now
  WITH k, r ORDER BY r.job_key DESC, r.created_at DESC LIMIT 1
  WITH k, r.created_at + duration({seconds: k.seconds}) AS until
  WHERE until > now
  RETURN k.kind AS kind, k.otherwise AS otherwise, until,
    'the last run is too recent' AS text
  UNION ALL
  MATCH (t)-[:LIMITED_BY]->(k:Constraint {kind: 'rate'})
  CALL (t, k, now) {
    MATCH (other:Firing)
    WHERE other.trigger_id = t.id AND other.started_at > now - duration({seconds: k.seconds})
    RETURN count(other) AS started, min(other.started_at) AS first
  }
  WITH k, started, first WHERE started >= k.limit
  // The rate allows the next run when the first counted one leaves the window.
  RETURN k.kind AS kind, k.otherwise AS otherwise, first + duration({seconds: k.seconds}) AS until,
    started + ' runs were started in the last ' + k.seconds + ' s' AS text
  UNION ALL
  // The newest failure and the newest success by index. A job of the name may be a stub beside another.
  MATCH (t)-[:LIMITED_BY]->(k:Constraint {kind: 'not_failing'})
  MATCH (watched:Job {namespace: k.namespace, fqn: k.job})
  // A deleted job will not succeed again: it bars nothing until an event names it.
  WHERE watched.hidden_at IS NULL
  CALL (watched) {
    MATCH (failed:Run) WHERE failed.job_key = watched.key AND failed.state = 'FAILED'
      AND failed.ended_at IS NOT NULL
    RETURN failed.ended_at AS failed_at
    ORDER BY failed.job_key DESC, failed.state DESC, failed.ended_at DESC LIMIT 1
  }
  WITH k, watched, failed_at
  WHERE NOT EXISTS {
    MATCH (later:Run) WHERE later.job_key = watched.key AND later.state = 'COMPLETED'
      AND later.ended_at > failed_at
  }
  RETURN k.kind AS kind, k.otherwise AS otherwise, null AS until,
    k.job + ' has failed since its last success, at ' + toString(failed_at) AS text
  UNION ALL
  // `overlap` is a property of the trigger, not a Constraint node.
  WITH t, j WHERE t.overlap <> 'allow' AND EXISTS {
    MATCH (r:Run {job_key: j.key})
    WHERE r.launch IS NOT NULL AND EXISTS { (t)-[:FIRED]->(:Firing)-[:STARTED]->(r) }
  }
  RETURN 'overlap' AS kind, CASE t.overlap WHEN 'wait' THEN 'wait' ELSE 'abort' END AS otherwise,
    null AS until, 'an earlier run of this trigger goes on' AS text
}
RETURN kind, otherwise, text, until
ORDER BY kind, text
