// The newest firings of a trigger are found without reading the others.
CREATE INDEX firing_trigger IF NOT EXISTS FOR (n:Firing) ON (n.trigger_id, n.fired_at)
