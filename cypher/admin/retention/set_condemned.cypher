// Condemn runs: a sweep is to delete them, unless something that stays needs them.
UNWIND $ids AS id
MATCH (r:Run {id: id})
SET r.condemned = $sweep
