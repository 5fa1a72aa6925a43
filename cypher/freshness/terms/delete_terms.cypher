// Delete the user's freshness terms of a job or dataset, and return whether there were any.
MATCH (t:Terms {key: $key})
WITH t, t.key AS key
DETACH DELETE t
RETURN key
