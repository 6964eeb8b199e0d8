"""Saved queries and their answers: headers, parameters, safety, findings, briefs, drawings."""
