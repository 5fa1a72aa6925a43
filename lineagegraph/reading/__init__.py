"""Read definition files in child processes and store pipelines as versions."""
