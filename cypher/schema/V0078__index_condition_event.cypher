// Conditions that wait for an event are found by its name.
CREATE INDEX condition_event IF NOT EXISTS FOR (n:Condition) ON (n.event)
