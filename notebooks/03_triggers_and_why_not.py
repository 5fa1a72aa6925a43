# %% [markdown]
# # What starts what, and why not
#
# A trigger is a rule in the graph: when this and that has happened, start a pipeline.

# %%
# %load_ext lineagegraph

# %%
# %triggers

# %% [markdown]
# The report waits for two things. Which of them have happened since it last ran?

# %%
# %triggers nyc.report

# %% [markdown]
# The same as a panel: read why not, see the next times, fire, switch off, or make a rule by clicks.
# The preview tells when a rule would have fired in the last week.

# %%
import lineagegraph as lg

graph = lg.connect()
panel = graph.trigger_panel()
panel
