"""The vocabulary of Sonde: frozen values, protocols and errors. Imports nothing of ours."""
