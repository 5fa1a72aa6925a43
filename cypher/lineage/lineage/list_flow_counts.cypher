// For jobs or datasets, the number of direct upstream and downstream neighbours.
UNWIND $keys AS key
CALL (key) {
  MATCH (n:Job {key: key})
  RETURN n
  UNION
  MATCH (n:Dataset {key: key})
  RETURN n
}
CALL (n) {
  MATCH (n)-[:SAME_AS*0..1]->(m)<-[e:FEEDS|PRODUCES]-(other)
  WHERE other.hidden_at IS NULL AND ($at IS NULL OR e.first_seen <= $at)
  RETURN count(DISTINCT coalesce(other.same_as, other.key)) AS before
}
CALL (n) {
  MATCH (n)-[:SAME_AS*0..1]->(m)-[e:FEEDS|PRODUCES]->(other)
  WHERE other.hidden_at IS NULL AND ($at IS NULL OR e.first_seen <= $at)
  RETURN count(DISTINCT coalesce(other.same_as, other.key)) AS after
}
RETURN collect({
  key: n.key,
  before: before,
  after: after
}) AS rows
