// Delete a trigger with its conditions; the node stays for the history of its firings.
MATCH (t:Trigger {id: $id}) WHERE t.deleted_at IS NULL
SET t.deleted_at = coalesce($now, datetime.realtime()), t.enabled = false
REMOVE t.rule, t.reset_at
WITH t
// Who decides on firings has the lock of their job.
CALL (t) {
  MATCH (t)-[:STARTS]->(j:Job)
  SET j.locked = true
  REMOVE j.locked
}
CALL (t) {
  MATCH (f:Firing {state: 'HELD'}) WHERE f.trigger_id = t.id
  SET f.state = 'ABORTED', f.settled_at = t.deleted_at, f.kept_back = 'its trigger was deleted'
}
CALL (t) {
  MATCH (t)-[:LIMITED_BY]->(k:Constraint)
  DETACH DELETE k
}
CALL (t) {
  MATCH (t)-[:HAS_CELL]->(cell:Cell)
  DETACH DELETE cell
}
CALL (t) {
  MATCH (t)-[:EVALUATED]->(e:Evaluation)
  DETACH DELETE e
}
CALL (t) {
  MATCH (t)-[:HAS_CONDITION]->(c:Condition)
  DETACH DELETE c
}
RETURN t.id AS id
