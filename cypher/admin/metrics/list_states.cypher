// Count the runs in each of some states.
UNWIND $states AS state
CALL (state) {
  MATCH (r:Run)
  WHERE r.state = state AND r.state_at IS NOT NULL
  RETURN count(r) AS runs
}
RETURN state, runs
ORDER BY state
