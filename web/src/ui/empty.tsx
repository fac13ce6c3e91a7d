import './empty.css'

/** The outline of a ticket with a notch in the middle of both short sides. */
const ticketEdge =
  'M1.5 9A7.5 7.5 0 0 1 9 1.5h102a7.5 7.5 0 0 1 7.5 7.5v15a8 8 0 0 0 0 16v15' +
  'a7.5 7.5 0 0 1-7.5 7.5H9A7.5 7.5 0 0 1 1.5 55V40a8 8 0 0 0 0-16z'

/** A blank ticket and one sentence. */
export function Empty({ text }: { text: string }) {
  return (
    <div className="empty">
      <svg width="120" height="64" viewBox="0 0 120 64" fill="none" aria-hidden="true">
        <path className="empty-edge" d={ticketEdge} />
        <path className="empty-tear" d="M42 12v40" />
        <path className="empty-lines" d="M56 24h44M56 34h30" />
      </svg>
      <p>{text}</p>
    </div>
  )
}
