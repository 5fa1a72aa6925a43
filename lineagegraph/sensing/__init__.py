"""The sensor process: one event loop that pokes all sensors of its shards."""
