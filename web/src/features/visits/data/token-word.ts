import type { Visit } from '@/api/types'

/** A word that can only be a token: `T33`, `a-007`, or the number alone. The letters are T and those of desks. */
const tokenWord = /^(?:([a-ht])-?)?0*(\d+)$/
/** A number without a letter and with more digits than this may be a part of a phone number. */
const mostTokenDigits = 3

type Named = Pick<Visit, 'token' | 'tokenAlso'>

const tokensOf = ({ token, tokenAlso }: Named) => (tokenAlso ? [token, tokenAlso] : [token])

/** Whether a typed word in lower case is the whole token of a visit; undefined if it may be another text. */
export function isTokenOf(visit: Named, word: string): boolean | undefined {
  const [, letter, digits] = tokenWord.exec(word) ?? []
  if (digits === undefined) return undefined
  const found = tokensOf(visit).some(
    (token) =>
      Number(token.slice(2)) === Number(digits) &&
      (letter === undefined || token.charAt(0).toLowerCase() === letter),
  )
  if (found) return true
  return letter === undefined && word.length <= mostTokenDigits ? false : undefined
}

export const tokenText = (visit: Named) => tokensOf(visit).join(' ')
