// Delete a trigger and its conditions; its firings stay as history.
MATCH (t:Trigger {id: $id})
OPTIONAL MATCH (t)-[:WHEN]->(:Condition)-[:OPERAND*0..]->(c:Condition)
DETACH DELETE c, t
