// Unmark the runs that are or were on a cycle of parents with some runs, whose parents may have changed.
UNWIND $ids AS id
MATCH (r:Run {id: id}) WHERE r.on_cycle
CALL (r) {
  // Without labels, as those let the plan scan an index of all runs.
  MATCH (r)(()-[:PARENT_OF]->(on WHERE on.on_cycle))*(one)
  RETURN one
}
WITH DISTINCT one
REMOVE one.on_cycle
