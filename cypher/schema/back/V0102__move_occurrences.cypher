// What cells hold goes back to the conditions, as far as these can tell it.
CALL () {
  MATCH (t:Trigger)-[:HAS_CELL]->(cell:Cell)
  RETURN t, cell
}
CALL (t, cell) {
  MATCH (t)-[:HAS_CONDITION]->(c:Condition)
  OPTIONAL MATCH (cell)-[h:HOLDS {condition_id: c.id}]->(what)
  FOREACH (x IN CASE WHEN h IS NULL THEN [] ELSE [1] END |
    MERGE (c)-[o:OCCURRED {status: h.status, occurred_at: h.occurred_at}]->(what))
  DELETE h
} IN TRANSACTIONS OF 100 ROWS
