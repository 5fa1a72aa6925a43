// The triggers whose condition holds, with the occurrences that make it so.
UNWIND $ids AS id
MATCH (t:Trigger {id: id})-[:WHEN]->(root:Condition {holds: true})
MATCH (t)-[:STARTS]->(j:Job)
CALL (root) {
  MATCH (root)-[:OPERAND*0..]->(c:Condition)-[o:OCCURRED]->(what)
  WITH c, o, what ORDER BY o.occurred_at, c.id
  RETURN collect({
    text: c.text, status: o.status, occurred_at: o.occurred_at, subject: coalesce(what.id, what.key)
  }) AS occurrences
}
RETURN
  t.id AS id,
  t.name AS name,
  t.generation AS generation,
  j.key AS job_key,
  j.namespace AS job_namespace,
  j.name AS job_name,
  occurrences
ORDER BY id
