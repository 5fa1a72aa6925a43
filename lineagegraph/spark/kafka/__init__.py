"""Topics of Kafka that plans read and write."""
