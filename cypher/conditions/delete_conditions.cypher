// Delete those conditions of a trigger that its definition no longer has, and loosen the others.
MATCH (t:Trigger {id: $trigger_id})-[w:WHEN]->(root:Condition)
OPTIONAL MATCH (root)-[:OPERAND*0..]->(c:Condition)
OPTIONAL MATCH (c)-[o:OPERAND]->(:Condition)
DELETE w, o
WITH DISTINCT c WHERE c IS NOT NULL AND NOT c.id IN $keep
DETACH DELETE c
