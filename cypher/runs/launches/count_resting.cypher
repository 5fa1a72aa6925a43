// Count the runs among these that only wait.
UNWIND $ids AS id
MATCH (r:Run {id: id})
WHERE r.resting_since IS NOT NULL
RETURN count(r) AS resting
