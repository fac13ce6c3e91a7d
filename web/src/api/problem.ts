import { fillKnown, locale, messages } from '@/messages'

/** The body of an error response, in words for the user. */
export type WordedProblem = {
  code: string | undefined
  /** Undefined if the body has neither a known code nor a sentence. */
  sentence: string | undefined
  /** One sentence for each invalid field. */
  fields: Record<string, string>
}

type Values = Readonly<Record<string, unknown>>

/** Maps the statuses and stages of visits and appointment requests from their names in the API to words. */
const words = new Map<unknown, string>(Object.entries(messages.problems.words))

/** The names of the parameters that have a status or a stage as their value. */
const named: readonly string[] = ['status', 'from', 'to', 'stage']

const codeTexts = new Map<string, string>(Object.entries(messages.problems.codes))
const fieldTexts = new Map(
  Object.entries(messages.problems.fieldCodes).map(([code, texts]) => [code, new Map(Object.entries(texts))]),
)

/**
 * Words the body of an error response by its code and values. If the code is unknown or a value is missing, the
 * sentence is the service's own, from `error` or `message`. If the code is unknown or stands for many sentences, other
 * languages than English have a general sentence instead.
 */
export function wordedProblem(body: unknown, status?: number): WordedProblem {
  const problem = valuesOf(body)
  const code = textOf(problem.code)
  const english = textOf(problem.error) ?? textOf(problem.message)
  const sentences = valuesOf(problem.fields)
  const fields = wordedFields(problem, sentences)
  const first = Object.keys(sentences).find((field) => sentences[field] === english)
  const own = (first === undefined ? undefined : fields[first]) ?? english
  const params = valuesOf(problem.params)
  const text = textOfCode(code ?? (status === 429 ? 'rate_limited' : ''), params)
  const values = { ...wordedValues(params), sentence: own }
  const worded = text === undefined ? undefined : fillKnown(text, values)
  const isEnglish = (text === undefined || text === '{sentence}') && own === english && first === undefined
  return {
    code,
    sentence: isEnglish && own && locale !== 'en' ? messages.problems.unworded : (worded ?? own),
    fields,
  }
}

/** The text of a code. Some codes have another text if the problem is about a consultant who is not the user. */
const textOfCode = (code: string, { consultant }: Values) =>
  (consultant === undefined ? undefined : codeTexts.get(`${code}_of`)) ?? codeTexts.get(code)

const wordedValues = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      (named.includes(name) ? words.get(value) : undefined) ?? value,
    ]),
  )

function wordedFields(problem: Values, sentences: Values): Record<string, string> {
  const [codes, params] = [valuesOf(problem.field_codes), valuesOf(problem.field_params)]
  const entries = Object.entries(sentences).flatMap(([field, english]) => {
    const texts = fieldTexts.get(textOf(codes[field]) ?? '')
    const text = texts?.get(field) ?? texts?.get('other')
    const worded = text === undefined ? undefined : fillKnown(text, valuesOf(params[field]))
    const sentence = worded ?? textOf(english)
    return sentence === undefined ? [] : [[field, sentence] as const]
  })
  return Object.fromEntries(entries)
}

const valuesOf = (value: unknown): Values =>
  typeof value === 'object' && value !== null ? (value as Values) : {}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
