// Without it: a job has its versions, and one of them is the current one.
MATCH (:Job)-[f:IN_FORCE]->(:JobVersion)
CALL (f) { DELETE f } IN TRANSACTIONS OF 1000 ROWS
