"""The reference of the HTTP API at `/docs`: Swagger UI 5.35.0 of the package swagger-ui-dist."""
