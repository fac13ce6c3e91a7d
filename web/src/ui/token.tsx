import './token.css'

type TextProps = {
  token: string
  /** The second token of the visitor, which a desk without network issued. */
  also?: string | undefined
}

/** A visit's token as a chip with notched sides; `Ticket` is the large form. */
export function Token({ small = false, ...tokens }: TextProps & { small?: boolean }) {
  return (
    <span className={small ? 'token token-small' : 'token'}>
      <TokenText {...tokens} />
    </span>
  )
}

/** The letters are quieter than the number, but in one text with it, so that a search finds the whole token. */
export function TokenText({ token, also }: TextProps) {
  const cut = token.indexOf('-') + 1
  return (
    <>
      <span className="token-letters">{token.slice(0, cut)}</span>
      {token.slice(cut)}
      {also ? <small className="token-also"> {also}</small> : null}
    </>
  )
}
