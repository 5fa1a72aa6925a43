// Store the tasks that a run added after one of its own, in order.
UNWIND $rows AS row
MATCH (r:Run {id: $run_id})
WITH r, row, COUNT { (r)-[:EXPANDED]->(:Expansion) } AS number
MERGE (e:Expansion {key: row.key})
ON CREATE SET e.number = number
SET e.name = row.name,
    e.path = row.path,
    e.behind = row.behind,
    e.definition = row.definition,
    e.recorded_at = coalesce($now, datetime.realtime())
MERGE (r)-[:EXPANDED]->(e)
WITH e, row
CALL (e, row) {
  UNWIND row.tasks AS task
  MERGE (t:ExpandedTask {key: task.key})
  SET t.name = task.name, t.path = task.path, t.values = task.values
  MERGE (e)-[:CONTAINS]->(t)
}
