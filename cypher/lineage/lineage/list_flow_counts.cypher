// For jobs or datasets, the number of direct upstream and downstream neighbours.
UNWIND $keys AS key
CALL (key) {
  MATCH (n:Job {key: key})
  RETURN n
  UNION
  MATCH (n:Dataset {key: key})
  RETURN n
}
WITH n, COUNT {
  MATCH (n)<-[e:FEEDS|PRODUCES]-(other)
  WHERE other.hidden_at IS NULL AND ($at IS NULL OR e.first_seen <= $at)
} AS before, COUNT {
  MATCH (n)-[e:FEEDS|PRODUCES]->(other)
  WHERE other.hidden_at IS NULL AND ($at IS NULL OR e.first_seen <= $at)
} AS after
RETURN collect({
  key: n.key,
  before: before,
  after: after
}) AS rows
