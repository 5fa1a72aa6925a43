# %% [markdown]
# # Triggers
#
# A trigger is a rule in the graph: it starts a pipeline when its condition is true.

# %%
# %load_ext lineagegraph

# %%
# %triggers

# %% [markdown]
# The report waits for two conditions. The next cell shows which of them were fulfilled since its last run:

# %%
# %triggers nyc.report

# %% [markdown]
# The same as a panel: see the missing conditions and the next times, fire or disable a trigger, or create one with clicks.
# The preview lists the times at which a trigger would have fired in the last week.

# %%
import lineagegraph as lg

graph = lg.connect()
panel = graph.trigger_panel()
panel
