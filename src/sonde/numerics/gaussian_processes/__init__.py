"""Gaussian processes over one position: any kernel in cubic time, Brownian motion exactly in linear time."""
