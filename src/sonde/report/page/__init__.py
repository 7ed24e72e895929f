"""The report as one HTML page: findings become a typed page, then a JSON document, then the page."""
