// Lock which definition paths of a host are read.
//
// The index keeps the lock of the deleted node until the end of the transaction.
MERGE (l:Lease {name: 'definition paths ' + $host})
DELETE l
