"""Numbers for Prometheus."""

from lineagegraph.http.metrics.route import metrics_route

__all__ = ["metrics_route"]
