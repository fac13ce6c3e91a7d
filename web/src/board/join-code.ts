import { qrPath } from '@/ui/qr-path'
import { shape } from './dom'

/** The QR code of the page on which visitors ask for a token. An address in capitals needs a smaller code. */
export function joinCode(): SVGElement {
  const { side, path } = qrPath(`${location.origin}/q/join`.toUpperCase())
  return shape(
    'svg',
    { class: 'join-code', viewBox: `0 0 ${side} ${side}`, 'shape-rendering': 'crispEdges', role: 'img' },
    shape('rect', { width: String(side), height: String(side), fill: '#fff' }),
    shape('path', { d: path, fill: '#000' }),
  )
}
