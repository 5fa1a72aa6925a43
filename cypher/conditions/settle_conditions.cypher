// Evaluate the condition trees of triggers, from the leaves up: a leaf holds while it has occurrences.
MATCH (t:Trigger) WHERE t.id IN $trigger_ids
MATCH (t)-[:WHEN]->(:Condition)-[:OPERAND*0..]->(c:Condition)
WITH DISTINCT c ORDER BY c.height
CALL (c) {
  OPTIONAL MATCH (c)-[:OPERAND]->(operand:Condition)
  WITH c, count(operand) AS operands, count(CASE WHEN operand.holds THEN 1 END) AS held
  SET c.holds = CASE c.operator
    WHEN 'AND' THEN held = operands
    WHEN 'OR' THEN held > 0
    ELSE EXISTS { (c)-[:OCCURRED]->() }
  END
}
