"""A research knowledge base in Markdown as an RDF graph."""
