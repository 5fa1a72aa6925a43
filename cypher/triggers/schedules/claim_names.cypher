// Lock the names that schedules of an application have.
MERGE (l:Lease {name: 'schedules ' + $namespace + ' ' + $application})
SET l.locked = true
REMOVE l.locked
