// Find triggers by when they were suspended.
CREATE INDEX trigger_suspended IF NOT EXISTS FOR (n:Trigger) ON (n.suspended_at)
