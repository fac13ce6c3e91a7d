import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runnerImport, type Plugin } from 'vite'
import type { PublicTexts } from '../src/messages.ts'
import { readMessages, translated } from './catalogues.ts'
import { entry, files, readManifest } from './pages.ts'
import { unstyled, withBuiltNames } from './shells.ts'

type Module = typeof import('../src/offline-page.tsx')

/** The screen whose styles the page shares. */
const styledLike = 'src/screens/not-found/not-found.tsx'

/** Writes the page that is shown without a network, and the service worker that stores it with its files. */
export function offline(): Plugin {
  let outDir = 'dist'
  return {
    name: 'baari:offline',
    apply: 'build',
    configResolved(config) {
      outDir = config.build.outDir
    },
    closeBundle: {
      order: 'pre',
      sequential: true,
      async handler() {
        const { module } = await runnerImport<Module>('./src/offline-page.tsx', {
          resolve: { tsconfigPaths: true },
          plugins: [unstyled],
        })
        const manifest = await readManifest(outDir)
        const styles = [...files(manifest, [entry, styledLike])].filter((file) => file.endsWith('.css'))
        const assets = (await readdir(join(outDir, 'assets'))).filter((file) =>
          /^(anek-latin|rosette).*\.(woff2|svg)$/.test(file),
        )
        const drawn = ['en', ...translated].map((name) => {
          const text = readMessages(name).public.connection as unknown as PublicTexts['connection']
          const body = withBuiltNames(module.offlinePage(text.offline), manifest)
          return { name, title: text.offline.title, body }
        })
        const page = pageOf(drawn, styles)
        await writeFile(join(outDir, 'offline.html'), page)
        const kept = [
          '/offline.html',
          '/offline.js',
          '/theme.js',
          '/mark.svg',
          ...styles.map((file) => `/${file}`),
          ...assets.map((file) => `/assets/${file}`),
        ]
        const hash = createHash('sha256').update(page).digest('hex').slice(0, 12)
        const worker = await readFile(join(outDir, 'sw.js'), 'utf8')
        const named = worker
          .replace("cacheName = 'offline'", `cacheName = 'offline-${hash}'`)
          .replace('files = []', `files = ${JSON.stringify(kept)}`)
        await writeFile(join(outDir, 'sw.js'), named)
      },
    },
  }
}

const policy =
  "default-src 'self'; img-src 'self' data:; script-src 'self'; style-src 'self'; base-uri 'none'; object-src 'none'"

type Drawn = { name: string; title: string; body: string }

/** The page in English, with each other language in a template for public/offline.js. */
function pageOf([english, ...others]: readonly Drawn[], styles: readonly string[]): string {
  const templates = others.map(
    ({ name, title, body }) => `<template lang="${name}" title="${title}">${body}</template>`,
  )
  return `<!doctype html>
<html lang="en-IN">
  <head>
    <meta charset="UTF-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex" />
    <title>${english?.title}</title>
    <link rel="icon" href="/mark.svg" type="image/svg+xml" />
    <script src="/theme.js"></script>
${styles.map((file) => `    <link rel="stylesheet" href="/${file}" />`).join('\n')}
  </head>
  <body>
    <div id="page">${english?.body}</div>
    ${templates.join('\n    ')}
    <script src="/offline.js"></script>
  </body>
</html>
`
}
