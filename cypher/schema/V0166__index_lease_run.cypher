// The leases that a run holds are found at once.
CREATE INDEX lease_run IF NOT EXISTS FOR (n:Lease) ON (n.run_id)
