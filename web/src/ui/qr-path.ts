import { correction, generate } from 'lean-qr'

/** The white margin around a QR code, in modules. Phones do not detect a code without it. */
const quiet = 4

/** The dark modules of a text's QR code as one SVG path, and the code's width. A seventh of the code may be damaged. */
export function qrPath(text: string): { side: number; path: string } {
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
  return { side: code.size + 2 * quiet, path }
}
