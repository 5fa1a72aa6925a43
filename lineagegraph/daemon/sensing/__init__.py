"""The sensor process: one loop that pokes what thousands of runs wait for."""
