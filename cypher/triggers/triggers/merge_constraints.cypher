// Set the limits of a trigger.
MATCH (t:Trigger {id: $trigger_id})
CALL (t) {
  MATCH (t)-[:LIMITED_BY]->(old:Constraint)
  DETACH DELETE old
}
WITH t
UNWIND $constraints AS row
MERGE (k:Constraint {id: row.id})
SET k += row.properties
MERGE (t)-[:LIMITED_BY]->(k)
