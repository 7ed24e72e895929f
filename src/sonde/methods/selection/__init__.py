"""Tells which benchmarks a revision can have changed, from what was built and what a benchmark executes.

A. Born de Oliveira, S. Fischmeister, A. Diwan, M. Hauswirth, P. F. Sweeney: Perphecy: Performance Regression
Test Selection Made Simple but Effective. ICST 2017. `reach` and `differences` join the paper's dynamic and
static data, `indicators` is its Table I, `greedy` its Algorithm 1, `evaluation` asks the questions of its
section IV. Ours are `proof`, which needs no training and goes first, `share`, which keeps a promised hit
rate, and the indicators beyond the paper's eight.
"""
