type Question = () => Promise<boolean>

const questions = new Set<Question>()

/** Asks a question before the user signs out, until the returned function is called. */
export function askBeforeLeaving(question: Question) {
  questions.add(question)
  return () => void questions.delete(question)
}

/** Whether the user leaves, in spite of what is not sent. */
export async function mayLeave(): Promise<boolean> {
  for (const question of questions) if (!(await question())) return false
  return true
}
