type Question = () => Promise<boolean>

const questions = new Set<Question>()

/** Adds a question that is asked before the user signs out. Returns a function that removes it. */
export function askBeforeLeaving(question: Question) {
  questions.add(question)
  return () => void questions.delete(question)
}

/** Asks all questions. Resolves with whether the user signs out, although something is not sent. */
export async function mayLeave(): Promise<boolean> {
  for (const question of questions) if (!(await question())) return false
  return true
}
