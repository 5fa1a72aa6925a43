"""Terms and outcomes of waits for sensors."""
