// Delete a token of a run; a newer one of the same run stays.
MATCH (t:RunToken {run_id: $run_id, hash: $hash})
DELETE t
