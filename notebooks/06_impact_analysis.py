# %% [markdown]
# # What hangs on what
#
# If this column is wrong, what else is? What did today wait for? What would be missed most? The
# answers are results like all others; with networkx and pandas any other question is a few lines.

# %%
import networkx as nx

import lineagegraph as lg

graph = lg.connect()

# %% [markdown]
# ## The blast radius
#
# What is made of a column, directly or by way of filters, joins and groups:

# %%
graph.impact("flights.csv#dep_delay")

# %% [markdown]
# And of a whole table:

# %%
graph.impact("bronze/planes")

# %% [markdown]
# ## What held the day up
#
# The work that the last end of the day hung on. To end earlier, shorten something on this path.

# %%
graph.critical_path()

# %%
waits = graph.waits().to_pandas()
waits.groupby("job")["waited"].sum().sort_values(ascending=False).head()

# %% [markdown]
# ## What would be missed most
#
# All that can be reached only through one job or table hangs on it alone:

# %%
graph.weak_points()

# %% [markdown]
# ## Whose it is, and what nobody uses

# %%
graph.owners().to_pandas().head()

# %%
graph.orphans(days=30)

# %% [markdown]
# ## Any other question
#
# Which tables lie between most others?

# %%
flows = nx.DiGraph(graph.lineage("flights.csv", level="task").to_networkx())
between = nx.betweenness_centrality(flows)
sorted(between, key=between.get, reverse=True)[:3]
