"""What a stretch of text holds, one kind of thing a file: ids, quantities, references, words. Knows no document."""
