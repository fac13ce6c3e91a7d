import type { components } from '@/api/directory'
import type { Values } from '@/features/settings/data/document'

export type Reason = Values['page']['whyUs'][number]
type ReasonText = components['schemas']['OfficeReasonText']

/** A reason with another text in one language. A language without texts is left out. */
export function withReasonIn(
  { texts = {}, ...reason }: Reason,
  language: string,
  part: 'title' | 'text',
  changed: string,
): Reason {
  const { [language]: before, ...rest } = texts as Readonly<Record<string, ReasonText>>
  const { title = '', text: body = '' } = { ...before, [part]: changed } as Partial<ReasonText>
  const next = title === '' && body === '' ? rest : { ...rest, [language]: { title, text: body } }
  return Object.keys(next).length > 0 ? { ...reason, texts: next } : reason
}
