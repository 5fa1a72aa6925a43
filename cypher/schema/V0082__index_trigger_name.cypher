// Find triggers by name.
CREATE INDEX trigger_name IF NOT EXISTS FOR (n:Trigger) ON (n.name)
