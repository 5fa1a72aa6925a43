// Lock the list of imports, so that none begins while it is decided whether one may be undone.
//
// The index keeps the lock of the deleted node until the end of the transaction.
MERGE (l:Lease {name: 'imports'})
DELETE l
