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
  SET c = properties(h), c.chosen = h.key IN row.chosen
  DELETE h
}
RETURN f.key AS key
ORDER BY key
