// Record that an import has ended or is being undone.
MATCH (i:Import {id: $id})
SET i.state = $state
