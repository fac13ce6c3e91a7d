import './token.css'

/** A visit's token as a chip with notched sides; the large form is the ticket. */
export function Token({ token, small = false }: { token: string; small?: boolean }) {
  return (
    <span className={small ? 'token token-small' : 'token'}>
      <TokenText token={token} />
    </span>
  )
}

/** The letters quieter than the number, in one text, so that a search finds the whole token. */
export function TokenText({ token }: { token: string }) {
  const cut = token.indexOf('-') + 1
  return (
    <>
      <span className="token-letters">{token.slice(0, cut)}</span>
      {token.slice(cut)}
    </>
  )
}
