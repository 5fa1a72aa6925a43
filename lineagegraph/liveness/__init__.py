"""Signs of life: heartbeats, nudges, the database's clock."""
