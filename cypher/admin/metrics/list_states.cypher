// Count the runs in each of some states; COMPLETED, which most have, is what is left of all runs.
MATCH (r:Run)
WITH count(r) AS every
UNWIND [state IN $states WHERE state <> 'COMPLETED'] AS state
CALL (state) {
  MATCH (r:Run)
  WHERE r.state = state AND r.state_at IS NOT NULL
  RETURN count(r) AS runs
}
WITH every, collect({state: state, runs: runs}) AS others
WITH others, every - reduce(known = 0, other IN others | known + other.runs) AS left
// Runs may change between two counts.
UNWIND others + {state: 'COMPLETED', runs: CASE WHEN left > 0 THEN left ELSE 0 END} AS one
RETURN one.state AS state, one.runs AS runs
ORDER BY state
