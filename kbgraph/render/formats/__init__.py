"""One format a file: a module with a function per product that it can write, named after the product."""
