// The required environment of a rerun, if any, and if it must be rebuilt.
MATCH (r:Run {id: $run_id})
MATCH (e:Environment {sha256: r.wanted_environment})
RETURN
  e.sha256 AS sha256, e.python AS python, e.platform AS platform, e.packages AS packages,
  coalesce(r.isolated, false) AS isolated
