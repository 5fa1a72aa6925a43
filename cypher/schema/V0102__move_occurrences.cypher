// What occurred for the conditions of triggers moves to their cells, and firings know their trigger.
CALL () {
  MATCH (t:Trigger)
  WHERE t.deleted_at IS NULL AND NOT EXISTS { (t)-[:HAS_CONDITION]->() }
  RETURN t
}
CALL (t) {
  SET t.pick = coalesce(t.pick, 'latest'), t.overlap = coalesce(t.overlap, 'allow'),
      t.origin = coalesce(t.origin, 'definition')
  MERGE (cell:Cell {id: t.id})
  ON CREATE SET cell.generation = coalesce(t.generation, 0)
  MERGE (t)-[:HAS_CELL]->(cell)
  WITH t, cell
  CALL (t) {
    MATCH (t)-[:FIRED]->(f:Firing)
    SET f.trigger_id = t.id, f.started_at = coalesce(f.started_at, f.fired_at)
  }
  MATCH (t)-[:WHEN]->(:Condition)-[:OPERAND*0..]->(c:Condition)
  WITH DISTINCT t, cell, c, COUNT { (c)-[:OPERAND]->() } AS operands
  MERGE (t)-[:HAS_CONDITION]->(c)
  SET c.windowed = false, c.need = CASE c.operator WHEN 'AND' THEN operands ELSE 1 END
  WITH cell, c
  MATCH (c)-[o:OCCURRED]->(what)
  MERGE (cell)-[h:HOLDS {
    key: c.id + ' ' + CASE o.status WHEN 'DUE' THEN toString(o.occurred_at)
      ELSE coalesce(what.id, what.key) END + ' ' + o.status
  }]->(what)
  SET h.condition_id = c.id, h.status = o.status, h.occurred_at = o.occurred_at,
      h.part = coalesce(what.id, what.key)
  DELETE o
} IN TRANSACTIONS OF 100 ROWS
