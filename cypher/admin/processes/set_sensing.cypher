// Note what a sensor process did so far, and how late it was lately.
MATCH (p:Process {id: $id})
SET p += $numbers
