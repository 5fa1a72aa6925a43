// Firings that are kept back are found without reading the others.
CREATE INDEX firing_state IF NOT EXISTS FOR (n:Firing) ON (n.state, n.fired_at)
