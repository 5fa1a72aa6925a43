// Store the reported facts of runs; return the events received first, if any target is forwarded to.
//
// Step 1: facet bodies, each stored once by hash.
CALL () {
  UNWIND $facets AS row
  MERGE (f:Facet {hash: row.hash})
  ON CREATE SET f.name = row.name, f.body = row.body, f.words = row.words
}
// Step 2: properties, times and state changes of the runs.
CALL () {
  UNWIND $runs AS row
  MATCH (r:Run {id: row.id})
  // Compare with the old state: this must come before the properties are replaced.
  SET r.state_at = CASE
    WHEN r.state = row.properties.state AND r.state_at IS NOT NULL THEN r.state_at
    ELSE coalesce($now, datetime.realtime())
  END
  // A queued run has these before its START states them: an end without a worker states none.
  WITH r, row, CASE
    WHEN r.queued_at IS NOT NULL AND row.times.start_time IS NULL THEN r {.params, .partition}
  END AS queued
  SET r += row.properties
  SET
    r.params = coalesce(row.properties.params, queued.params),
    r.partition = coalesce(row.properties.partition, queued.partition)
  // An end with a change of state must be evaluated by triggers (`runs/due_unjudged`).
  SET r.unjudged_since = CASE
    WHEN size(row.changes) > 0 AND r.state IN ['COMPLETED', 'FAILED', 'KILLED']
      THEN coalesce($now, datetime.realtime())
    ELSE r.unjudged_since
  END
  SET
    r.started_at = datetime(row.times.started_at),
    r.ended_at = datetime(row.times.ended_at),
    r.marked_at = datetime(row.times.marked_at),
    r.unmarked_at = datetime(row.times.unmarked_at),
    r.nominal_start = datetime(row.times.nominal_start),
    r.nominal_end = datetime(row.times.nominal_end),
    r.start_time = datetime(row.times.start_time),
    r.running_time = datetime(row.times.running_time),
    r.complete_time = datetime(row.times.complete_time),
    r.fail_time = datetime(row.times.fail_time),
    r.abort_time = datetime(row.times.abort_time),
    r.other_time = datetime(row.times.other_time)
  // Only external runs can be silent: a run with a launch has a lease instead. Old events (not
  // news) do not start the wait.
  SET r.awaited_since = CASE
    WHEN r.state <> 'RUNNING' OR r.launch IS NOT NULL THEN null
    WHEN $is_news THEN coalesce($now, datetime.realtime())
    ELSE r.awaited_since
  END
  WITH r, row, datetime(row.times.heard_at) AS heard_at
  SET r.created_at = CASE WHEN r.queued_at < heard_at THEN r.queued_at ELSE heard_at END
  // The PENDING change of a queued run was recorded when it was queued.
  FOREACH (change IN [c IN row.changes WHERE c.state <> 'PENDING' OR r.queued_at IS NULL] |
    CREATE (:StateChange {
      state: change.state,
      at: datetime(change.at),
      reason: change.reason,
      message: change.message,
      recorded_at: coalesce($now, datetime.realtime()),
      position: change.position,
      unnumbered: true
    })-[:OF]->(r)
  )
}
// Step 3: replace the parents of runs.
CALL () {
  UNWIND $parents AS row
  MATCH (r:Run {id: row.id})
  OPTIONAL MATCH (:Run)-[old:PARENT_OF]->(r)
  DELETE old
  // DISTINCT, because a run with several old parents has several rows here.
  WITH DISTINCT r, row
  MATCH (p:Run {id: row.parent_id})
  CREATE (p)-[:PARENT_OF]->(r)
}
// Step 4: replace the links to the facets with the same scope and name.
CALL () {
  UNWIND $links AS row
  MATCH (r:Run {id: row.id})
  OPTIONAL MATCH (r)-[old:HAS_FACET {scope: row.scope, name: row.name}]->(:Facet)
  DELETE old
  WITH DISTINCT r, row
  MATCH (f:Facet {hash: row.hash})
  CREATE (r)-[:HAS_FACET {scope: row.scope, name: row.name}]->(f)
}
// Step 5: the runs that came before, from the facet `jobDependencies`.
CALL () {
  UNWIND $follows AS row
  MATCH (r:Run {id: row.id})
  MATCH (followed:Run {id: row.followed})
  MERGE (r)-[f:FOLLOWS]->(followed)
  SET f = row.rules
}
// Step 6: the versions that the runs used.
CALL () {
  UNWIND $versions AS row
  MATCH (r:Run {id: row.id})
  MATCH (v:JobVersion {hash: row.version})
  MERGE (r)-[:RAN]->(v)
}
// Step 7: the events themselves. An event that an import brought first now has its own sender, and
// one with claims is its author's until another sends it without any. An import makes facts of them
// until it is undone; what becomes a fact for good counts as received now, so that an undo finds it.
CALL () {
  UNWIND $events AS row
  MERGE (e:Event {id: row.id})
  ON CREATE SET
    e.event_time = datetime(row.event_time),
    e.event_type = row.event_type,
    e.body = row.body,
    e.author = row.author,
    e.claims = row.claims,
    e.judged_by = CASE WHEN row.claims IS NOT NULL THEN '' END,
    e.received_at = datetime.realtime(),
    e.is_new = true
  ON MATCH SET
    e.received_at = CASE
      WHEN NOT $is_news OR coalesce(e.claims, e.own_claims) IS NULL THEN e.received_at
      WHEN row.claims IS NULL OR row.claims <> e.claims THEN datetime.realtime()
      ELSE e.received_at
    END,
    e.own_author = CASE
      WHEN NOT $is_news THEN coalesce(e.own_author, CASE WHEN e.claims IS NOT NULL THEN e.author END)
      WHEN row.claims IS NULL THEN null
      WHEN e.imported THEN row.author
      ELSE e.own_author
    END,
    e.author = CASE
      WHEN row.claims IS NULL AND coalesce(e.claims, e.own_claims) IS NOT NULL OR e.imported THEN row.author
      ELSE e.author
    END,
    e.own_claims = CASE
      WHEN NOT $is_news THEN coalesce(e.own_claims, e.claims)
      WHEN row.claims IS NULL THEN null
      WHEN e.imported THEN row.claims
      ELSE e.own_claims
    END,
    e.imported = null,
    e.judged_by = CASE WHEN row.claims IS NULL THEN null ELSE e.judged_by END,
    e.claims = CASE WHEN row.claims IS NULL THEN null ELSE e.claims END
  WITH e, row, e.is_new IS NOT NULL AS is_new
  REMOVE e.is_new
  WITH e, row, is_new
  CALL (e, row) {
    MATCH (r:Run {id: row.run_id})
    MERGE (e)-[:REPORTS]->(r)
  }
  RETURN collect(CASE WHEN is_new THEN row.id END) AS received
}
// Step 8: an import that is undone and a sweep read the events that arrived from a time on. If the
// clock was put back, it becomes earlier, also than the events of transactions of that moment.
CALL () {
  MATCH (i:Import) WHERE coalesce(i.read_from, i.started_at) > datetime.realtime()
  SET i.read_from = datetime.realtime() - duration('PT2M')
  REMOVE i.read_id
}
CALL () {
  // Found by its label: a look for its unique name would lock that name in each transaction.
  MATCH (l:Reading) WHERE l.read_from > datetime.realtime()
  SET l.read_from = datetime.realtime() - duration('PT2M')
}
RETURN CASE WHEN EXISTS { (:ForwardTarget) } THEN received ELSE [] END AS rows
