// A dataset with its other names, its writers, its readers, and their other data.
MATCH (d:Dataset {key: $key})
CALL (d) {
  MATCH path = (d)-[:SAME_AS*0..1]->()<-[:FEEDS|PRODUCES*1..3]-()
  RETURN path LIMIT 150
  UNION
  MATCH path = (d)-[:SAME_AS*0..1]->()-[:FEEDS|PRODUCES*1..3]->()
  RETURN path LIMIT 150
  UNION
  MATCH path = (d)-[:HAS_NAME*0..2]-(:Dataset)
  RETURN path LIMIT 150
}
RETURN path
