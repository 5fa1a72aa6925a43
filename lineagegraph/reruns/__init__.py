"""Plan and start reruns of old runs, with the code of then or of now."""
