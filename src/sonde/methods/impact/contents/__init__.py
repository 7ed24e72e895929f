"""What memory and the variables of options hold in a configuration."""
