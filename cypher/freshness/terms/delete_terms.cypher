// Take away the terms that people gave a job or dataset, and say whether there were any.
MATCH (t:Terms {key: $key})
WITH t, t.key AS key
DETACH DELETE t
RETURN key
