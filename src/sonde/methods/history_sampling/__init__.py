"""Estimates the performance of every revision from a few measured ones.

S. Mühlbauer, S. Apel, N. Siegmund: Accurate Modeling of Performance Histories for Evolving Software Systems.
ASE 2019. The paper's planner is `widest_gap`, its baseline `at_random`; `greedy` and `shared_changes`, the
default, are ours. All of them are policies: they say what to measure next, given what is known (`facts`), and
what they make of it. `planner` turns a policy into a planner that can be asked and told.
"""
