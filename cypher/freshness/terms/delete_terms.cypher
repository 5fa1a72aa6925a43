// Delete the user's freshness terms of a job or dataset, and return whether there were any.
MATCH (t:Terms {key: $key})
WITH t, t.key AS key
CALL (t) {
  MATCH (t)-[:HAS_PART]->(p:TermsPart)
  DETACH DELETE p
}
DETACH DELETE t
RETURN key
