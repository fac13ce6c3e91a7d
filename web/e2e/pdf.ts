import { createCanvas, type Canvas } from '@napi-rs/canvas'
import type { Page } from '@playwright/test'
import { scanGrayBuffer } from '@undecaf/zbar-wasm'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { expect } from './test'

/** The resolution of receipt printers, in dots per inch. */
const dotsPerInch = 203
const pointsPerInch = 72
const millimetresPerInch = 25.4

/** A printed document, which has a single page. */
export type Print = {
  /** Width in millimetres. */
  width: number
  height: number
  text: string
  /** PNG of the page in black and white, with the dots that a receipt printer would print. */
  bitmap: Buffer
  /** The codes that the program zbar reads in the bitmap. */
  codes: string[]
}

/** Prints the page to PDF, and asserts that the PDF has a single page. */
export async function printOf(page: Page): Promise<Print> {
  await page.emulateMedia({ media: 'print' })
  await page.evaluate(() => document.fonts.ready)
  const data = new Uint8Array(await page.pdf({ preferCSSPageSize: true }))
  await page.emulateMedia({ media: 'screen' })
  const task = getDocument({ data, verbosity: 0 })
  try {
    const pdf = await task.promise
    expect(pdf.numPages).toBe(1)
    const sheet = await pdf.getPage(1)
    const viewport = sheet.getViewport({ scale: dotsPerInch / pointsPerInch })
    const canvas = createCanvas(Math.ceil(viewport.width), Math.ceil(viewport.height))
    await sheet.render({ canvas: canvas as unknown as HTMLCanvasElement, viewport }).promise
    const content = await sheet.getTextContent()
    const text = content.items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''))
    const grey = blackAndWhite(canvas)
    const symbols = await scanGrayBuffer(grey.buffer, canvas.width, canvas.height)
    const millimetres = (dots: number) => Math.round((dots / dotsPerInch) * millimetresPerInch)
    return {
      width: millimetres(viewport.width),
      height: millimetres(viewport.height),
      text: `${text.join('').trim()}\n`,
      bitmap: canvas.toBuffer('image/png'),
      codes: symbols.map((symbol) => symbol.decode()),
    }
  } finally {
    await task.destroy()
  }
}

/** Converts each dot of the canvas to black or white. Returns one byte per dot. */
function blackAndWhite(canvas: Canvas): Uint8Array<ArrayBuffer> {
  const context = canvas.getContext('2d')
  const image = context.getImageData(0, 0, canvas.width, canvas.height)
  const grey = new Uint8Array(canvas.width * canvas.height)
  for (let dot = 0; dot < grey.length; dot += 1) {
    const [red = 0, green = 0, blue = 0] = image.data.subarray(dot * 4, dot * 4 + 3)
    grey[dot] = (red + green + blue) / 3 < 128 ? 0 : 255
    image.data.fill(grey[dot] ?? 0, dot * 4, dot * 4 + 3)
  }
  context.putImageData(image, 0, 0)
  return grey
}
