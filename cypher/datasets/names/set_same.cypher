// Set which datasets are the same; all other such relationships of theirs are deleted.
CALL () {
  UNWIND $rows AS row
  MATCH (d:Dataset {key: row.key})
  SET d.same_as = row.same_as
  WITH d
  MATCH (d)-[old:SAME_AS]-()
  DELETE old
}
CALL () {
  UNWIND $pairs AS pair
  MATCH (a:Dataset {key: pair.left})
  MATCH (b:Dataset {key: pair.right})
  CREATE (a)-[:SAME_AS]->(b), (b)-[:SAME_AS]->(a)
}
