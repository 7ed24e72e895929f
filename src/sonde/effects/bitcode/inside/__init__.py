"""What runs inside the sandbox to compile units to bitcode; it sees nothing of Sonde but its folder."""
