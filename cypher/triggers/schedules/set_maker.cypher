// Store the namespaces that a rule reads, and with $anew the token of its maker.
MATCH (t:Trigger {id: $id})
SET t.made_by = CASE WHEN $anew THEN $token ELSE t.made_by END,
    t.reads = $reads
