// Writes src/locales/english.d.ts, the type of the catalogues, from the English texts. It is committed.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { messageTypes } from './message-types.ts'

const locales = fileURLToPath(new URL('../src/locales', import.meta.url))
writeFileSync(`${locales}/english.d.ts`, messageTypes(`${locales}/en`))
