import type { Page } from '@playwright/test'
import { visit } from './life'
import { answer, dialog, ready } from './scene'

const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
const zoya = { id: 'zoya', name: 'CA Zoya Khan' }

/** An entry about a visit in this stage. */
function about(number: number, kind: string, stage: string, more: object) {
  const { id, token, name, service, version } = visit(number, stage)
  return {
    id: `${kind}-${number}`,
    kind,
    since: at(-4),
    visit: { id, token, name, service: service.name, stage, version },
    counter: '3',
    values: {},
    actions: [],
    ...more,
  }
}

/** Five kinds, as the PA gets them. */
const five = [
  about(10, 'call_unanswered', 'called', { values: { calls: 1 }, actions: ['recall', 'miss'] }),
  {
    id: 'number',
    kind: 'desk_without_number',
    since: at(-9),
    consultant: zoya,
    values: {},
    actions: ['number'],
  },
  about(12, 'papers_missing', 'in-session', {
    values: { paper: { key: null, label: 'Form 16' }, more: 1 },
    actions: ['papers'],
  }),
  about(17, 'waiting_long', 'waiting', { since: at(-12), actions: ['show', 'call'] }),
  about(16, 'pin_away', 'waiting', { consultant: zoya, values: { desk: 'off' }, actions: ['line'] }),
]

/** A screen with five kinds of what needs attention. */
export async function needing(page: Page, path: string) {
  await answer(page, '**/api/visits/attention', { attention: five, nextAt: null })
  await ready(page, path)
  return page.locator('.attention, .attention-bar')
}

/** The sheet with all of them. */
export async function needsSheet(page: Page, path: string) {
  await needing(page, path)
  await page.locator('.attention-what, .attention-bar').first().click()
  return dialog(page)
}
