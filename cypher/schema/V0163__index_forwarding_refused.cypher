// What a target refused is found without reading what waits.
CREATE INDEX forwarding_refused IF NOT EXISTS FOR (n:Forwarding) ON (n.refused_at)
