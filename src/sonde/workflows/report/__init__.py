"""`sonde report`: what the store knows, as one HTML page."""
