"""Finds which revision changed which option, or which interaction of options.

S. Mühlbauer, S. Apel, N. Siegmund: Identifying Software Performance Changes Across Variants and Versions.
ASE 2020. The paper's search is `likelihoods`; `shared_steps`, the default, is ours. A search is a program
that wishes for points and is answered (`search`); `planner` turns it into a planner that can be asked and
told. `influences` is the paper's performance-influence model, fitted to what was measured.
"""
