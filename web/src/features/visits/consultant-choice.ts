/** A consultant as somebody to send a visitor to. */
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

/** Whether one of the specializations is the service or a part of its name: 'GST' suits GST Registration. */
export const suits = ({ specialization }: Pick<ConsultantChoice, 'specialization'>, service: string) =>
  specialization.some((one) => {
    const [known, asked] = [wordsOf(one), wordsOf(service)]
    return known.trim() !== '' && (asked.includes(known) || known.includes(asked))
  })

/** The consultants in the order in which they suit a visitor: the matching ones first, then who is free soonest. */
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
