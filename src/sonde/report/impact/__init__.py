"""The answer of `sonde impact`: as text, JSON and SARIF."""
