"""Environment variables of processes: those of tasks, and the settings of our own processes."""
