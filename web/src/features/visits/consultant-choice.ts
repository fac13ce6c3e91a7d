/** A consultant as an option for an assignment. */
export type ConsultantChoice = {
  id: string
  name: string
  currentQueue: number
  inSession: boolean
  specialization: readonly string[]
}

export type RankedChoice = ConsultantChoice & { suits: boolean }

const wordsOf = (text: string) =>
  ` ${text
    .toLocaleLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `

/** Whether a specialization equals the service or a part of its name: 'GST' matches GST Registration. */
export const suits = ({ specialization }: Pick<ConsultantChoice, 'specialization'>, service: string) =>
  specialization.some((one) => {
    const [known, wanted] = [wordsOf(one), wordsOf(service)]
    return known.trim() !== '' && (wanted.includes(known) || known.includes(wanted))
  })

/** The consultants in order of preference for a visitor: matching ones first, then by queue length. */
export function choicesFor(service: string, consultants: readonly ConsultantChoice[]): RankedChoice[] {
  return consultants
    .map((consultant) => ({ ...consultant, suits: suits(consultant, service) }))
    .sort(
      (one, other) =>
        Number(other.suits) - Number(one.suits) ||
        one.currentQueue - other.currentQueue ||
        Number(one.inSession) - Number(other.inSession) ||
        one.name.localeCompare(other.name),
    )
}
