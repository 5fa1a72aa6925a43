// Triggers that are to begin anew are found without reading the others.
CREATE INDEX trigger_reset IF NOT EXISTS FOR (n:Trigger) ON (n.reset_at)
