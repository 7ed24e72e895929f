"""Whether a change can reach hot code, and through which options: ConfFLARE, and what it lacks.

Böhm, Sattler, Siegmund, Apel: "Detecting Performance-Relevant Changes in Configurable Software Systems".
"""
