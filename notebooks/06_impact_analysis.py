# %% [markdown]
# # Impact analysis
#
# This notebook finds the impact of a wrong column, the critical path of a day, and single points of failure. The
# answers are normal results; networkx and pandas answer further questions in a few lines.

# %%
import networkx as nx

import lineagegraph as lg

graph = lg.connect()

# %% [markdown]
# ## Impact of a column
#
# All columns made from it, directly or through filters, joins and groups:

# %%
graph.impact("flights.csv#dep_delay")

# %% [markdown]
# The same for a whole table:

# %%
graph.impact("bronze/planes")

# %% [markdown]
# ## Critical path of a day
#
# The chain of work before the report's last end of the day. To end earlier, shorten a piece of work on this path.

# %%
graph.critical_path(to="nyc.report")

# %%
waits = graph.waits().to_pandas()
waits.groupby("job")["waited"].sum().sort_values(ascending=False).head()

# %% [markdown]
# ## Single points of failure
#
# Jobs and tables that are the only path to others:

# %%
graph.weak_points()

# %% [markdown]
# ## Owners, and unused datasets

# %%
graph.owners().to_pandas().head()

# %%
graph.orphans(days=30)

# %% [markdown]
# ## Other questions
#
# The tables that lie between most others:

# %%
flows = nx.DiGraph(graph.lineage("flights.csv", level="task").to_networkx())
between = nx.betweenness_centrality(flows)
sorted(between, key=between.get, reverse=True)[:3]
