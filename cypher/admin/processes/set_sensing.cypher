// Store the counts and recent delays of a sensor process.
MATCH (p:Process {id: $id})
SET p += $numbers
