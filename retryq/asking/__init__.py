"""What `retryq.predict` is made of: questions, the beliefs behind their wrong answers, quizzes and drills."""
