// Condemn runs: a sweep deletes them, unless a kept node needs them.
UNWIND $ids AS id
MATCH (r:Run {id: id})
SET r.condemned = $sweep
