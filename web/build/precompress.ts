import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
const compressible = new Set(['.js', '.css', '.svg', '.json', '.txt', '.xml', '.webmanifest'])

/** Writes a .br and a .gz beside each text file of the build, except index.html, which is rendered per response. */
export function precompress(): Plugin {
  let outDir = 'dist'
  return {
    name: 'baari:precompress',
    apply: 'build',
    configResolved(config) {
      outDir = config.build.outDir
    },
    async closeBundle() {
      const files = await readdir(outDir, { recursive: true })
      for (const name of files) if (compressible.has(extname(name))) await compress(join(outDir, name))
    },
  }
}

async function compress(file: string) {
  const source = await readFile(file)
  if (source.length < 1024) return
  const br = await brotli(source, {
    params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
  })
  await writeFile(`${file}.br`, br)
  await writeFile(`${file}.gz`, await zip(source, { level: constants.Z_BEST_COMPRESSION }))
}
