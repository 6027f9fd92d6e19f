"""Note acceptors by ccTalk, a serial protocol whose specification is a public domain document."""
