"""The authoring API: `lg.*` and `on.*`, as definition files call it."""
