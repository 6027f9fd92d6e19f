"""The site of the documents: how it is built, and the pages that the program writes about itself."""
