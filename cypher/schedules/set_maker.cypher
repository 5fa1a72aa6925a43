// Keep whose token made a rule, and which namespaces it looks into; what is null stays as it is.
MATCH (t:Trigger {id: $id})
SET t.made_by = CASE WHEN $reads IS NULL THEN t.made_by ELSE $token END,
    t.reads = coalesce($reads, t.reads)
SET t.limited = t.limited OR (t.made_by IS NOT NULL AND size(t.reads) > 0)
