import type { Reporter } from '@playwright/test/reporter'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folder } from './studio'

/** Writes index.html beside the pictures: a row for each state of a screen, a column for each width and theme. */
export default class ContactSheet implements Reporter {
  onEnd() {
    const path = folder()
    const names = readdirSync(path).filter((name) => name.endsWith('.png'))
    const rows = [...Map.groupBy(names.sort(), (name) => name.replace(/-\d+-(light|dark)\.png$/, ''))]
    writeFileSync(join(path, 'index.html'), sheet(rows))
    console.log(`\n${names.length} pictures of ${rows.length} states: ${join(path, 'index.html')}`)
  }
}

const sheet = (rows: [string, string[]][]) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Baari, every screen</title>
<style>
  body { font: 15px system-ui; margin: 24px }
  section { display: flex; gap: 16px; overflow-x: auto; padding-bottom: 24px }
  img { height: 440px; border: 1px solid #ccc }
</style>
${rows.map(([state, names]) => `<h2>${state}</h2>\n<section>${names.map(picture).join('')}</section>`).join('\n')}
</html>
`

const picture = (name: string) =>
  `<a href="${name}"><img src="${name}" alt="${name.replace('.png', '')}" loading="lazy"></a>`
