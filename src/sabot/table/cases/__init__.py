"""Claims, disputes and breaches."""
