"""The offline editor: closed grammar, closed vocabulary, no model. Its output is a rule-based draft for people to judge."""
