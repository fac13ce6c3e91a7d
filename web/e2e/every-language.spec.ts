import type { Browser, BrowserContext, Locator, Page } from '@playwright/test'
import { join } from 'node:path'
import { languages as known, type Language } from '@/locales/languages'
import type { Office } from '@/api/office'
import type { Texts } from '@/test/catalogue-lint'
import type { Scene } from '../scenes/scene'
import { screens } from '../scenes/screens'
import { followSystemTheme, violationsOf } from './accessibility'
import { busyConsultant, busyOffice, visitors } from './desk'
import { provoke } from './faults'
import { cutOff, isCutData, textsOf } from './page-texts'
import { accountOf, accounts, asAdmin, baseURL, hire, openSession, type Account, type Role } from './people'
import { messagesOf, pseudoMessages, speakPseudo } from './pseudo-locale'
import { gatherReceived } from './received'
import { holdToast, leave, stopClocks } from './state'
import { expect, test } from './test'
import { translatedPage } from './translated-page'
import { translator, type Translate } from './translator'
import { untranslatedIn } from './untranslated'

// The test has thousands of steps, and a trace of them would take longer than the steps themselves.
test.use({ trace: 'off' })
test.describe.configure({ mode: 'parallel' })

test.skip(process.env.BAARI_EVERY_LANGUAGE !== '1', 'baari verify --nightly languages')

const pictures = process.env.BAARI_PICTURES

/** A language, or `qps`, the pseudo-locale, which replaces the texts of pages in Hindi. */
type Spoken = Language | 'qps'
const spoken: Spoken[] = [...(Object.keys(known) as Language[]), 'qps']
const languageOf = (spoken: Spoken): Language => (spoken === 'qps' ? 'hi' : spoken)
const textsIn = (spoken: Spoken) =>
  (spoken === 'qps' ? pseudoMessages : messagesOf(spoken)) as unknown as Texts

type State = { name: string; scene: Scene }
type Room = { context: BrowserContext; data: string[]; spoken: Spoken; translate: Translate }

let consultant: Account
let ready = false
let office: string[] = []

test.beforeAll(async () => {
  if (ready || process.env.BAARI_EVERY_LANGUAGE !== '1') return
  consultant = await hire('consultant')
  await busyConsultant(consultant, 6)
  await hire('consultant')
  await busyOffice(20)
  const { brand, area } = (await (await fetch(`${baseURL()}/api/office`)).json()) as Office
  office = [brand, area, `${new URL(baseURL()).host}/board`, known.en.name, ...visitors]
  ready = true
})

for (const language of spoken)
  for (const { name, role, scenes } of screens)
    test(`${name} in ${language}: no English, nothing cut off, nothing for axe, whatever its state`, async ({
      browser,
    }) => {
      const translate = translator(textsIn('en'), textsIn(language), await officeWords(language))
      const states = Object.entries(scenes).map(([state, scene]) => ({ name: `${name}, ${state}`, scene }))
      const lane = async () => {
        const context = await open(browser, language, role)
        const data = gatherReceived(context)
        for (let state = states.shift(); state; state = states.shift())
          await judge({ context, data, spoken: language, translate }, state)
        await context.close()
      }
      await Promise.all([lane(), lane()])
    })

type Services = { services: { name: string; texts?: Partial<Record<Language, { name: string }>> }[] }

/** Maps the English names of the services to their names in the language, if they are translated. */
async function officeWords(spoken: Spoken) {
  const { services } = await asAdmin<Services>('GET', '/api/services')
  const language = languageOf(spoken)
  return new Map(
    services.flatMap(({ name, texts }) => {
      const translation = texts?.[language]?.name
      return translation ? [[name, translation]] : []
    }),
  )
}

async function open(browser: Browser, spoken: Spoken, role?: Role): Promise<BrowserContext> {
  const account = role === 'consultant' ? consultant : role && accountOf(role)
  const context = await browser.newContext({
    ...(account && { storageState: (await openSession(account)).storageState }),
  })
  await context.addCookies([{ name: 'baari_lang', value: languageOf(spoken), url: baseURL() }])
  await context.addInitScript(stopClocks)
  if (spoken === 'qps') await speakPseudo(context)
  return context
}

/** Asserts that a state has no fault at either width. One page load serves both widths if the state lasts. */
async function judge(room: Room, { name, scene }: State) {
  let shown: Shown | undefined
  for (const width of [1440, 390]) {
    let faults: string[] = ['not judged']
    // Faults are checked again: a text may be late, or a toast may end while axe runs on a slow machine.
    for (let tries = 0; faults.length > 0 && tries < 3; tries++) {
      try {
        shown = await show(room, scene, width, shown)
        faults = await faultsOf(shown, room)
      } catch (failure) {
        faults = [String(failure).slice(0, 400)]
        if (shown) await leave(shown.page)
        shown = undefined
        tries += 1
      }
    }
    expect.soft(faults, `${name}, ${room.spoken}, ${width} px`).toEqual([])
    if (shown && pictures) await picture(shown.page, join(pictures, room.spoken, `${width}`, `${name}.png`))
  }
  if (shown) await leave(shown.page)
}

type Shown = { page: Page; seen: Locator }

/**
 * A form writes a failed call to the console, in the language of the page. The text begins with a letter that is not
 * ASCII or, in the pseudo-locale, with a bracket and an accented letter.
 */
const wordedError = /^console Error: \[?(?:\P{ASCII}|[A-Z]\u0301)/u

/** Opens the state at a width, or returns `shown` if that page still shows the state. */
async function show(room: Room, scene: Scene, width: number, shown?: Shown): Promise<Shown> {
  await shown?.page.setViewportSize({ width, height: 900 })
  const lasts = await shown?.seen.isVisible()
  if (shown && !lasts) await leave(shown.page)
  const next = shown && lasts ? shown : await load(room, scene, width)
  await holdToast(next.page)
  await next.page.evaluate(() => document.fonts.ready)
  return next
}

async function load({ context, data, translate }: Room, scene: Scene, width: number): Promise<Shown> {
  const page = translatedPage(await context.newPage(), translate, (typed) => data.push(typed))
  try {
    await page.setViewportSize({ width, height: 900 })
    await followSystemTheme(page)
    provoke(page, wordedError)
    const seen = await scene(page)
    await expect(seen).toBeVisible()
    return { page, seen }
  } catch (failure) {
    await leave(page)
    throw failure
  }
}

/** The faults of a screen: English texts, texts that are cut off, violations of axe, and a state that ended early. */
async function faultsOf({ page, seen }: Shown, { data, spoken }: Room): Promise<string[]> {
  const all = [...data, ...accounts().map(({ name }) => name), ...office]
  const violations = await violationsOf(page)
  const texts = spoken === 'en' ? [] : await textsOf(page)
  const english = texts.filter(untranslatedIn(all)).map((text) => `English: ${text}`)
  const cut = (await cutOff(page)).filter((fault) => !isCutData(fault, all))
  const early = (await seen.isVisible()) ? [] : ['the state has ended before it was judged']
  return [...new Set([...violations, ...english, ...cut, ...early])]
}

/**
 * Takes a picture of the whole page. If a dialog, a list of choices or a menu is open, the picture shows the window
 * only, because a dialog's backdrop has the size of the window.
 */
async function picture(page: Page, path: string) {
  const floating = page.locator('[role=dialog], [role=listbox], [role=menu]').filter({ visible: true })
  await page.screenshot({ path, fullPage: (await floating.count()) === 0 })
}
