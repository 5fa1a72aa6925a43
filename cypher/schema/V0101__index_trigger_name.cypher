// Triggers are found by name without reading the others.
CREATE INDEX trigger_name IF NOT EXISTS FOR (n:Trigger) ON (n.name)
