import { createCanvas, loadImage, type Canvas, type Image } from '@napi-rs/canvas'
import type { Reporter } from '@playwright/test/reporter'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The size of one picture on a sheet, and how much of a long page it shows. */
const cells: Record<string, { width: number; height: number; columns: number }> = {
  '1440': { width: 576, height: 720, columns: 8 },
  '390': { width: 312, height: 720, columns: 14 },
}
const gap = 16
const caption = 24

/**
 * Draws the pictures of a language and width beside each other: BAARI_PICTURES/<language>/<width>/<state>.png on
 * BAARI_PICTURES/<language>-<width>.png.
 */
export default class LanguageSheets implements Reporter {
  async onEnd() {
    const folder = process.env.BAARI_PICTURES ?? ''
    if (!existsSync(folder)) return
    for (const language of readdirSync(folder))
      for (const width of Object.keys(cells)) {
        const from = join(folder, language, width)
        if (!existsSync(from)) continue
        const path = join(folder, `${language}-${width}.png`)
        writeFileSync(path, await sheetOf(from, width))
        console.log(path)
      }
  }
}

async function sheetOf(folder: string, of: string): Promise<Buffer> {
  const { width, height, columns } = cells[of] ?? { width: 0, height: 0, columns: 1 }
  const names = readdirSync(folder).sort()
  const rows = Math.ceil(names.length / columns)
  const sheet = createCanvas(gap + columns * (width + gap), gap + rows * (height + caption + gap))
  const pen = sheet.getContext('2d')
  pen.fillStyle = '#d9d9d9'
  pen.fillRect(0, 0, sheet.width, sheet.height)
  for (const [index, name] of names.entries()) {
    const x = gap + (index % columns) * (width + gap)
    const y = gap + Math.floor(index / columns) * (height + caption + gap)
    pen.fillStyle = '#000'
    pen.font = '16px sans-serif'
    pen.fillText(name.replace('.png', ''), x, y + 16)
    draw(sheet, await loadImage(readFileSync(join(folder, name))), { x, y: y + caption, width, height })
  }
  return sheet.encode('png')
}

/** Draws a picture, cut off at the bottom if it is too high. */
function draw(sheet: Canvas, picture: Image, cell: { x: number; y: number; width: number; height: number }) {
  const scale = cell.width / picture.width
  const height = Math.min(picture.height, cell.height / scale)
  const { x, y, width } = cell
  sheet.getContext('2d').drawImage(picture, 0, 0, picture.width, height, x, y, width, height * scale)
}
