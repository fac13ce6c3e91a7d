type Question = () => Promise<boolean>

const questions = new Set<Question>()

/** Adds a question that is asked before the user signs out. Returns a function that removes it. */
export function askBeforeLeaving(question: Question) {
  questions.add(question)
  return () => void questions.delete(question)
}

/** Asks the questions one after the other, until one is answered with no. Resolves with whether the user signs out. */
export async function mayLeave(): Promise<boolean> {
  for (const question of questions) if (!(await question())) return false
  return true
}
