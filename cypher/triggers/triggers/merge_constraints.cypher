// Set the limits of triggers.
UNWIND $rows AS row
MATCH (t:Trigger {id: row.trigger_id})
CALL (t) {
  MATCH (t)-[:LIMITED_BY]->(old:Constraint)
  DETACH DELETE old
}
WITH t, row
UNWIND row.constraints AS constraint
MERGE (k:Constraint {id: constraint.id})
SET k += constraint.properties
MERGE (t)-[:LIMITED_BY]->(k)
