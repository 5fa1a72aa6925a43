// End the transactions with a mark, and return them.
SHOW TRANSACTIONS YIELD transactionId AS id, metaData
WHERE metaData.lineagegraph = $mark
TERMINATE TRANSACTIONS id YIELD message
RETURN id, message
