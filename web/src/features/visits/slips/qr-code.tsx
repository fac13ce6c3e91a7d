import { useMemo } from 'react'
import { qrPath } from '@/ui/qr-path'

type Props = { text: string; label: string; className: string }

export function QrCode({ text, label, className }: Props) {
  const { side, path } = useMemo(() => qrPath(text), [text])
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
