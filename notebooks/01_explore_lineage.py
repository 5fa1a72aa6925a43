# %% [markdown]
# # Explore lineage
#
# `lineagegraph demo` ran three Spark pipelines over the flights that left New York in 2013. These
# notebooks use its graph. Run them in order or one alone; you can run any cell again.

# %%
# %load_ext lineagegraph

# %% [markdown]
# All jobs as a tree: pipelines contain tasks, a task contains a Spark application, and an application
# contains the actions that wrote data.

# %%
# %jobs

# %% [markdown]
# ## Sources of a table
#
# A unique name is enough; the Tab key completes it.

# %%
# %lineage monthly_delay --down 0

# %% [markdown]
# The same as an interactive widget: expand a node, follow a column, go back in time. Arrow keys move, Enter
# expands, `/` searches. `explorer.selected` is the selection in Python.

# %%
import lineagegraph as lg

graph = lg.connect()
explorer = graph.explore("monthly_delay")
explorer

# %% [markdown]
# ## Sources of a column
#
# Spark reports the source columns of each column that an action writes.

# %%
graph.lineage("monthly_delay#arr_delay", down=0, columns=True)

# %% [markdown]
# ## Other questions
#
# `%%cypher` queries the graph. `$name` is a variable of the notebook, and the server refuses writes. This query
# lists the columns of the source files whose values flow into columns of the summary:

# %%
name = "monthly_delay"

# %%
# %%cypher
# MATCH (d:Dataset)-[:HAS_FIELD]->(f:Field)-[:DERIVED_FROM*1..10 {type: 'DIRECT'}]->(source:Field)
# MATCH (s:Dataset)-[:HAS_FIELD]->(source)
# WHERE d.name ENDS WITH $name AND NOT EXISTS { (source)-[:DERIVED_FROM]->() }
# WITH f.name AS column, last(split(s.name, '/')) AS source, source.name AS source_column
# RETURN DISTINCT column, source, source_column
# ORDER BY column, source, source_column

# %% [markdown]
# A result is displayed as a table, and converts to a pandas data frame:

# %%
runs = graph.runs("nyc.report").to_pandas()
runs[["id", "state", "started_at", "ended_at"]]
