"""Scala's and Java's values as Python's, in as few calls as there can be."""

from collections.abc import Iterator
from typing import Any

from py4j.java_gateway import JavaClass


def class_name(value: Any) -> str:
    """Return the simple class name of a JVM object."""
    return str(value.getClass().getName()).rpartition(".")[2]


def is_a(value: Any, name: str) -> bool:
    """Return whether an object's class or its superclass has a simple name."""
    above = value.getClass().getSuperclass()
    return class_name(value) == name or str(above.getName()).rpartition(".")[2] == name


def java_class(name: str, beside: Any) -> Any:
    """Return a class of the JVM that an object is in."""
    return JavaClass(name, beside._gateway_client)


def is_instance(value: Any, name: str) -> bool:
    """Return whether an object is of a class or interface, by its full name."""
    types = java_class("py4j.reflection.TypeUtil", value)
    return bool(types.isInstanceOf(name, value))


def field_value(value: Any, name: str) -> Any:
    """Return the value of a private field of an object."""
    field = value.getClass().getDeclaredField(name)
    field.setAccessible(True)
    return field.get(value)


def fields_of(value: Any) -> Iterator[Any]:
    """Yield the objects in the fields of an object, private ones too."""
    for field in value.getClass().getDeclaredFields():
        field.setAccessible(True)
        held = field.get(value)
        if hasattr(held, "getClass"):
            yield held


def java_interface(name: str) -> type:
    """Return the class `Java` by which py4j knows that a Python object has a Java interface."""
    return type("Java", (), {"implements": (name,)})


def sequence(values: Any) -> Iterator[Any]:
    """Yield the elements of a Scala collection."""
    elements = values.iterator()
    while elements.hasNext():
        yield elements.next()


def option(value: Any) -> Any:
    """Return the value of a Scala Option, or None."""
    return value.get() if value.isDefined() else None


def texts(values: Any) -> list[str]:
    """Return the elements of a Scala collection as text."""
    joined = values.mkString("\n")
    return joined.split("\n") if joined else []
