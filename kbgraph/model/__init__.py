"""Values that rooms hand to one another: no effects, no knowledge of any library."""
