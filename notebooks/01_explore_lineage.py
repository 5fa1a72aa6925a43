# %% [markdown]
# # What ran, on which data
#
# `lineagegraph demo` ran three Spark pipelines over the flights that left New York in 2013. These
# notebooks look at what it left, in their order or each alone. Any cell can be run again.

# %%
# %load_ext lineagegraph

# %% [markdown]
# The jobs, and what is in each: pipelines have tasks, a task has a Spark application, and that has
# the actions that wrote something.

# %%
# %jobs

# %% [markdown]
# ## Where a table comes from
#
# A name is enough where only one thing has it; Tab completes it.

# %%
# %lineage monthly_delay --down 0

# %% [markdown]
# The same to click through: expand a node, follow a column, go back in time. Arrow keys move, Enter
# expands, `/` searches. What is selected is `explorer.selected` in Python.

# %%
import lineagegraph as lg

graph = lg.connect()
explorer = graph.explore("monthly_delay")
explorer

# %% [markdown]
# ## Where a column comes from
#
# Spark told which columns each action made of which.

# %%
graph.lineage("monthly_delay#arr_delay", down=0, columns=True)

# %% [markdown]
# ## Any other question
#
# `%%cypher` asks the graph. `$name` is the notebook's variable, and the server refuses to write. Here:
# which columns of the source files feed which columns of the summary, by their values?

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
# A result is a table, and a frame of pandas where one is wanted:

# %%
runs = graph.runs("nyc.report").to_pandas()
runs[["id", "state", "started_at", "ended_at"]]
