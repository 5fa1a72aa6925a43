// A dataset: the jobs that it is made by, those that read it, and what is next to these.
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
