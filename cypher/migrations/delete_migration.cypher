// Forget a migration that was taken back.
MATCH (m:Migration {name: $name})
DELETE m
