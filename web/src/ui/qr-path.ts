import { correction, generate } from 'lean-qr'

/** The modules that stay white around a code, so that a phone finds it. */
const quiet = 4

/** The dark modules of a text's QR code as one path of SVG, and its side. It is read with a seventh of it spoilt. */
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
