// Count the runs of all jobs that were created in a period; no states take all.
//
// Step 1: without a period no run is read: the database and an index know their numbers.
CALL () {
  MATCH (r:Run)
  RETURN count(r) AS every
}
CALL () {
  WITH $states AS states
  WHERE $since IS NULL AND $until IS NULL
  MATCH (r:Run)
  WHERE r.state IN states AND r.state_at IS NOT NULL
  RETURN count(*) AS in_states
}
// Step 2: those of a period.
CALL () {
  WITH $states AS states
  WHERE $since IS NOT NULL OR $until IS NOT NULL
  MATCH (r:Run)
  WHERE r.created_at >= coalesce($since, datetime({year: 1900}))
    AND r.created_at < coalesce($until, datetime({year: 9999}))
    AND (states = [] OR r.state IN states)
  RETURN count(*) AS in_period
}
// Step 3: hidden jobs are few: to count their runs is quicker than to look at the job of every run.
CALL () {
  MATCH (j:Job)
  USING INDEX j:Job(hidden_at)
  WHERE j.hidden_at IS NOT NULL
  CALL (j) {
    MATCH (r:Run)
    USING INDEX r:Run(job_key, created_at)
    WHERE r.job_key = j.key AND r.created_at >= coalesce($since, datetime({year: 1900}))
      AND r.created_at < coalesce($until, datetime({year: 9999}))
      AND ($states = [] OR r.state IN $states)
    RETURN count(*) AS of_job
  }
  RETURN sum(of_job) AS hidden
}
RETURN
  CASE
    WHEN $since IS NOT NULL OR $until IS NOT NULL THEN in_period
    WHEN $states = [] THEN every
    ELSE in_states
  END - hidden AS total
