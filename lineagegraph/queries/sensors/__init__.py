"""Read models of sensors."""
