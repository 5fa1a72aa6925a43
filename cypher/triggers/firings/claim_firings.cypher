// Fire cells of triggers, each firing with a unique key, and consume the chosen occurrences.
//
// Several rows may be firings of one cell, one after the other.
UNWIND $rows AS row
MATCH (t:Trigger {id: row.trigger_id})-[:HAS_CELL]->(cell:Cell {id: row.cell_id})
MERGE (f:Firing {key: row.key})
ON CREATE SET
  f.token = row.token,
  f.trigger_id = t.id,
  f.fired_at = coalesce($now, datetime.realtime()),
  f.generation = row.generation,
  f.value = cell.value,
  f.reason = row.reason,
  f.first_at = datetime(row.first_at),
  f.depth = 1,
  f.root = row.key,
  f.state = 'PENDING'
WITH t, cell, f, row WHERE f.token = row.token
SET cell.generation = row.generation + 1,
    t.generation = t.generation + 1,
    f.expires_at = CASE
      WHEN t.ttl IS NOT NULL THEN f.fired_at + duration({seconds: t.ttl})
    END
CREATE (t)-[:FIRED]->(f)
WITH t, cell, f, row
// A firing of one set takes its occurrences; others take all that the cell holds.
CALL (cell, f, row) {
  UNWIND row.taken AS taken
  MATCH (holding)-[h:HOLDS {key: taken.key}]->(what) USING INDEX h:HOLDS(key)
  WHERE holding = cell
  CREATE (f)-[c:CONSUMED]->(what)
  SET c = properties(h), c.chosen = taken.chosen
  DELETE h
}
CALL (cell, f, row) {
  MATCH (cell)-[h:HOLDS]->(what)
  WHERE row.taken IS NULL
  CREATE (f)-[c:CONSUMED]->(what)
  SET c = properties(h),
      c.chosen = CASE
        WHEN row.counting IS NULL THEN h.key IN row.chosen
        ELSE h.condition_id IN row.counting
          AND (h.until IS NULL OR h.until >= coalesce($now, datetime.realtime()))
      END
  DELETE h
}
// An occurrence goes back to the firing that started its run, a run above, or one whose task asked for
// it with `lineagegraph run` or `lg.start`. A firing needed all that
// it chose, so it follows the one with the shortest chain; an allowed cycle begins a new chain.
CALL (t, f) {
  MATCH (f)-[:CONSUMED {chosen: true}]->(what)
  OPTIONAL MATCH (source:Run)-[:WRITES|SENT]->(what)
  WITH t, f, what, coalesce(source, what) AS source
  // In two steps: as one pattern it may be planned from all firings.
  // The bound ends a chain of runs that people let ask for each other, without any firing.
  MATCH (source)<-[:PARENT_OF|ASKED_FOR*0..50]-(above)
  OPTIONAL MATCH (above)<-[:STARTED]-(before:Firing)
  WITH t, f, what, before ORDER BY before.depth DESC
  WITH t, f, what, collect(before)[0] AS before
  WITH t, f, before ORDER BY coalesce(before.depth, 0) LIMIT 1 WHERE before IS NOT NULL
  CREATE (f)-[:FOLLOWS]->(before)
  WITH t, f, before WHERE NOT coalesce(t.allow_cycle, false)
  SET f.depth = coalesce(before.depth, 0) + 1, f.root = coalesce(before.root, before.key)
}
// How often the trigger fired because of the same first firing; to know that it is often is enough.
CALL (f) {
  WITH f WHERE f.depth > 1
  MATCH (same:Firing) USING INDEX same:Firing(trigger_id, root)
  WHERE same.trigger_id = f.trigger_id AND same.root = f.root
  WITH same LIMIT $most
  RETURN count(same) AS turns
}
RETURN f.key AS key, f.trigger_id AS trigger_id, turns
ORDER BY key
