// Return whether an audit entry is in the graph, once the transaction that writes it is over.
//
// The entry of a transaction that is still open is locked by its unique id, so that this waits.
MERGE (e:AuditEntry {id: $entry})
WITH e, e.at IS NOT NULL AS is_committed
FOREACH (missing IN CASE WHEN is_committed THEN [] ELSE [e] END | DELETE missing)
RETURN is_committed
