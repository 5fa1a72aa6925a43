// Ends the transactions that were marked so, and lists them.
SHOW TRANSACTIONS YIELD transactionId AS id, metaData
WHERE metaData.lineagegraph = $mark
TERMINATE TRANSACTIONS id YIELD message
RETURN id, message
