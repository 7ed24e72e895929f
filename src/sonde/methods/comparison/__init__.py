"""Tells from pairs of runs whether a revision is slower than its base, and when there are enough of them.

`looks` plans when to look, `intervals` and `exact` say what a look shows: `scores` are what the test adds up,
and `inversion` turns it into an interval. `deciding` is the one place that decides, `comparing` joins all
cases: it asks for pairs until each case has an answer, and limits false discoveries over all of them.
`definition_6` is the rule of the ConfFLARE paper, for reports. `auditing` draws some of the cases that were
left out, and says what their verdicts mean.

S. Böhm, F. Sattler, N. Siegmund, S. Apel: Detecting Performance-Relevant Changes in Configurable Software
Systems (ConfFLARE). K. K. G. Lan, D. L. DeMets: Discrete Sequential Boundaries for Clinical Trials. 1983.
C. Jennison, B. W. Turnbull: Group Sequential Methods with Applications to Clinical Trials. 2000.
"""
