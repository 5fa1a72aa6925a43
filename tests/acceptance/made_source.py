"""A source and sink of a package, which the capture of Spark cannot understand."""

import sys

from pyspark import cloudpickle
from pyspark.sql.datasource import (
    DataSource,
    DataSourceReader,
    DataSourceWriter,
    WriterCommitMessage,
)

# Python workers of a JVM that another test started may not find this module.
cloudpickle.register_pickle_by_value(sys.modules[__name__])


class Made(DataSource):
    @classmethod
    def name(cls):
        return "made"

    def schema(self):
        return "a int"

    def reader(self, schema):
        return Rows()

    def writer(self, schema, overwrite):
        return Sink()


class Rows(DataSourceReader):
    def read(self, partition):
        yield (1,)


class Sink(DataSourceWriter):
    def write(self, iterator):
        list(iterator)
        return WriterCommitMessage()
