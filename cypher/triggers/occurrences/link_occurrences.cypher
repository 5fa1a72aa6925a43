// Add occurrences to their cells, each once; consumed and expired ones do not change.
//
// What is from before the last reset comes too late. Instants are compared by their numbers, as equal
// ones of two zones are not equal here.
UNWIND $rows AS row
MATCH (t:Trigger {id: row.trigger_id})
MATCH (c:Condition {id: row.condition_id})
OPTIONAL MATCH (r:Run {id: row.run_id})
OPTIONAL MATCH (v:DatasetVersion {key: row.version_key})
OPTIONAL MATCH (e:ExternalEvent {id: row.event_id})
OPTIONAL MATCH ()-[consumed:CONSUMED {key: row.key}]->()
OPTIONAL MATCH ()-[expired:EXPIRED {key: row.key}]->()
WITH row, t, c, coalesce(r, v, e, c) AS what, datetime(row.occurred_at) AS occurred_at
WHERE consumed IS NULL AND expired IS NULL
  AND (t.begun_at IS NULL OR occurred_at.epochMillis >= t.begun_at.epochMillis)
MERGE (cell:Cell {id: row.cell_id})
// Keys of firings have the generation: those of a trigger that is made again go on, and are new.
ON CREATE SET cell.value = row.cell_value, cell.generation = coalesce(t.generation, 0)
MERGE (t)-[:HAS_CELL]->(cell)
MERGE (cell)-[h:HOLDS {key: row.key}]->(what)
ON CREATE SET h.noted_at = coalesce($now, datetime.realtime())
SET h.condition_id = c.id,
    h.status = row.status,
    h.part = row.part,
    h.occurred_at = occurred_at,
    h.until = CASE
      WHEN c.lasts IS NOT NULL THEN occurred_at + duration({seconds: c.lasts})
    END
RETURN DISTINCT cell.id AS id
ORDER BY id
