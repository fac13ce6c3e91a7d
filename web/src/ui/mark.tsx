import { messages } from '@/messages'
import { baPath, barPath, ticketPath, wordPath, wordWidth } from './mark-paths'
import './mark.css'

/** The product's sign; decorative, because the name is beside it. */
export function Mark({ size = 32 }: { size?: number }) {
  return (
    <svg width={(size * 40) / 48} height={size} viewBox="0 0 40 48" aria-hidden="true">
      <MarkShapes />
    </svg>
  )
}

export function Logo({ size = 32 }: { size?: number }) {
  const width = 51 + wordWidth
  return (
    <svg
      width={(size * width) / 48}
      height={size}
      viewBox={`0 0 ${width} 48`}
      role="img"
      aria-label={messages.app.name}
    >
      <MarkShapes />
      <path fill="currentColor" transform="translate(51 35.5)" d={wordPath} />
    </svg>
  )
}

function MarkShapes() {
  return (
    <>
      <path className="mark-ticket" d={ticketPath} />
      <g className="mark-letter">
        <path d={barPath} />
        <path d={baPath} />
      </g>
    </>
  )
}
