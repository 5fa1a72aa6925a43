// An environment by its hash.
MATCH (e:Environment {sha256: $sha256})
RETURN e.sha256 AS sha256, e.python AS python, e.platform AS platform, e.packages AS packages
