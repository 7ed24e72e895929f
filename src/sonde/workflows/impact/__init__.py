"""`sonde impact`: whether a change can reach hot code, and through which options."""
