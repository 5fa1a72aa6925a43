// Delete an import in parts.
MATCH (i:Import {id: $id})
CALL (i) {
  MATCH (i)-[x]->()
  WITH x LIMIT $limit
  DELETE x
  RETURN count(x) AS links
}
CALL (i, links) {
  WITH i, links WHERE links = 0
  DELETE i
}
RETURN links
