"""Drawings of graphs: SVG, DOT, Mermaid, Gantt charts and text trees."""
