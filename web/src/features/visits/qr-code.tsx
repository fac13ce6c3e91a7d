import { correction, generate } from 'lean-qr'
import { useMemo } from 'react'

/** The modules that stay white around a code, so that a phone finds it. */
const quiet = 4

type Props = { text: string; label: string; className: string }

/** A QR code of a text: it is read with a seventh of it spoilt. */
export function QrCode({ text, label, className }: Props) {
  const { size, path } = useMemo(() => drawn(text), [text])
  const side = size + 2 * quiet
  return (
    <svg
      className={className}
      viewBox={`0 0 ${side} ${side}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

/** The dark modules as one path, a rectangle for each run of a row. */
function drawn(text: string) {
  const code = generate(text, { minCorrectionLevel: correction.M, maxCorrectionLevel: correction.M })
  let path = ''
  for (let y = 0; y < code.size; y++) {
    for (let x = 0; x < code.size; x++) {
      if (!code.get(x, y)) continue
      const from = x
      while (x < code.size && code.get(x, y)) x++
      path += `M${from + quiet} ${y + quiet}h${x - from}v1h${from - x}z`
    }
  }
  return { size: code.size, path }
}
