// Lock the schedule names of an application.
MERGE (l:Lease {name: 'schedules ' + $namespace + ' ' + $application})
SET l.locked = true
REMOVE l.locked
