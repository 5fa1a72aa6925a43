// Mark the runs of the cycles of parents that some runs are on.
UNWIND $ids AS id
MATCH (r:Run {id: id})
  USING INDEX r:Run(id)
MATCH (r)(()<-[:PARENT_OF]-())+(one:Run)
SET one.on_cycle = true
