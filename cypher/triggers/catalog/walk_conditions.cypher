// The condition tree of a trigger, parents first, with the target and held occurrences of each leaf.
MATCH (t:Trigger {id: $id})-[:HAS_CONDITION]->(c:Condition)
OPTIONAL MATCH (parent:Condition)-[o:OPERAND]->(c)
OPTIONAL MATCH (c)-[:WATCHES]->(watched:Job|Dataset)
RETURN c.id AS id, parent.id AS parent, c.operator AS operator, c.text AS text,
       coalesce(c.statuses, []) AS statuses, c.cron AS cron, c.zone AS zone,
       c.next_at AS next_at, coalesce(watched.fqn, watched.name) AS watches,
       CASE
         WHEN watched.stub AND NOT EXISTS { (watched)-[:HAS_RUN]->() } THEN 'UNKNOWN'
         WHEN EXISTS { (top:Job)-[:PARENT_OF*0..]->(watched) WHERE top.withdrawn_at IS NOT NULL }
           THEN 'WITHDRAWN'
       END AS absence,
       coalesce(c.need, 1) AS need, c.within AS within,
       COUNT { (t)-[:HAS_CELL]->(:Cell)-[:HOLDS {condition_id: c.id}]->() } AS occurrences
ORDER BY c.height DESC, o.position, id
