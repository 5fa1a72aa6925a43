// Store evaluations of triggers; only the newest of each trigger are kept.
UNWIND $rows AS row
MATCH (t:Trigger {id: row.trigger_id})
SET t.evaluations = coalesce(t.evaluations, 0) + 1
MERGE (e:Evaluation {id: t.id + ' ' + (t.evaluations % $kept)})
SET e.at = coalesce($now, datetime.realtime()),
    e.number = t.evaluations,
    e.value = row.value,
    e.outcome = row.outcome,
    e.text = row.text,
    e.tree = row.tree
MERGE (t)-[:EVALUATED]->(e)
