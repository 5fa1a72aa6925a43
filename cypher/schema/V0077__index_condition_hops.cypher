// Conditions on what feeds a job are found without reading the others.
CREATE INDEX condition_hops IF NOT EXISTS FOR (n:Condition) ON (n.hops)
