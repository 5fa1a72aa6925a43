// A dataset with its writers, its readers, and their other data.
MATCH (d:Dataset {key: $key})
CALL (d) {
  MATCH path = (d)<-[:FEEDS|PRODUCES*1..3]-()
  RETURN path LIMIT 150
  UNION
  MATCH path = (d)-[:FEEDS|PRODUCES*1..3]->()
  RETURN path LIMIT 150
  UNION
  MATCH path = (d)
  RETURN path
}
RETURN path
