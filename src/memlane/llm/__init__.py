"""Who reads for us? Models behind one question: a prompt in, an answer of a given shape out, with what it cost."""
