// For each run the next one above it that is one of these runs, too; leaves are on no way to one.
UNWIND $ids AS id
MATCH (r:Run {id: id})<-[:PARENT_OF]-(first:Run)
WHERE EXISTS { (r)-[:PARENT_OF]->(:Run) }
CALL (first) {
  // Without labels, as those let the plan scan an index of all runs.
  MATCH (first)((on WHERE NOT on.id IN $ids)<-[:PARENT_OF]-())*(above)
  RETURN above
}
WITH id, above WHERE above.id IN $ids
RETURN above.id AS parent_id, id
ORDER BY id
