// The environment that a rerun is held to, if it is to one, and whether it is to be made anew.
MATCH (r:Run {id: $run_id})
MATCH (e:Environment {sha256: r.wanted_environment})
RETURN
  e.sha256 AS sha256, e.python AS python, e.platform AS platform, e.packages AS packages,
  coalesce(r.isolated, false) AS isolated
