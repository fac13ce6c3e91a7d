import type { Browser, BrowserContext, Page } from '@playwright/test'
import { languages as known, type Language } from '@/locales/languages'
import type { Office } from '@/api/office'
import type { English } from '@/locales/english'
import { followSystemTheme, violationsOf } from './accessibility'
import { busyConsultant, busyOffice, deskOfRole } from './desk'
import { isNight, languages } from './extent'
import { cutOff, isCutData, textsOf } from './page-texts'
import {
  accountOf,
  accounts,
  arrive,
  baseURL,
  hire,
  openSession,
  signIn,
  type Account,
  type Role,
  asAdmin,
} from './people'
import { messagesOf, pseudoMessages, speakPseudo } from './pseudo-locale'
import { find } from './queue'
import { expect, test } from './test'
import { untranslatedIn } from './untranslated'

test.describe.configure({ mode: 'parallel' })

type Screen = {
  name: string
  at: string
  role?: Role
  /** Opens a dialog. */
  open?: (page: Page, messages: English) => Promise<void>
}

const screens: Screen[] = [
  { name: 'landing', at: '/' },
  { name: 'receptionist', at: '/dashboard/receptionist', role: 'reception' },
  { name: 'consultant', at: '/dashboard/consultant', role: 'consultant' },
  { name: 'sign-in', at: '/login' },
  { name: 'pa', at: '/dashboard/pa', role: 'pa' },
  {
    name: 'account settings',
    at: '/dashboard/receptionist',
    role: 'reception',
    open: async (page, { profile, settings }) => {
      await page.locator('.bar-person').click()
      await page.getByRole('button', { name: profile.settings }).click()
      await expect(page.getByText(settings.browsers.thisOne, { exact: true })).toBeVisible()
    },
  },
  { name: 'register', at: '/register' },
  { name: 'admin', at: '/dashboard/admin', role: 'admin' },
  {
    name: 'denial',
    at: '/dashboard/pa',
    role: 'pa',
    open: async (page, { visits }) => {
      await page.getByRole('button', { name: visits.pending.deny }).first().click()
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  },
]

/** On a merge, each language is tested on a third of the screens; at night, on all. */
const screensOf = (language: Language) =>
  screens.filter((_, index) => isNight || index % 3 === languages.indexOf(language) % 3)

let consultant: Account
let data: readonly string[] = []

test.beforeAll(async () => {
  consultant = await hire('consultant')
  await busyConsultant(consultant, 2)
  await busyOffice(4)
})

/**
 * Texts that come from data, not from the catalogues: those of the office, its staff, its visitors and its calendar.
 */
async function readData() {
  const keys =
    /^(name|label|\w*notes|area|city|address|brand|specialization|description|documents|title|text|days|\d+)$/i
  const texts = accounts().map(({ name }) => name)
  const gather = (key: string, value: unknown) => {
    if (typeof value === 'string' && keys.test(key)) texts.push(value)
    if (typeof value === 'object' && value !== null)
      for (const [inner, content] of Object.entries(value)) gather(inner, content)
  }
  for (const path of ['office', 'services', 'users', 'users/consultants', 'visits/today', 'due-dates'])
    gather('', await asAdmin('GET', `/api/${path}`))
  return texts
}

async function open(browser: Browser, language: Language, role?: Role): Promise<BrowserContext> {
  const account = role === 'consultant' ? consultant : role && accountOf(role)
  const context = await browser.newContext({
    ...(account && { storageState: (await openSession(account)).storageState }),
  })
  await context.addCookies([{ name: 'baari_lang', value: language, url: baseURL() }])
  return context
}

async function show(page: Page, { at, role, open: dialog }: Screen, messages: English) {
  const answer = await page.goto(at)
  await expect(page.locator('#shell')).toHaveCount(0)
  await expect(page.locator('main h1')).toBeVisible()
  if (role) await expect(page.getByText(messages.live.connected, { exact: true })).toBeVisible()
  await expect(page.locator('.skeleton')).toHaveCount(0)
  await dialog?.(page, messages)
  await page.evaluate(() => document.fonts.ready)
  return answer
}

type Rules = { english: boolean; axe: boolean }

/** The faults of a screen: English texts, texts that are cut off, violations of axe. */
async function faultsOf(page: Page, { english, axe }: Rules): Promise<string[]> {
  const violations = axe ? await violationsOf(page) : []
  const foreign = english
    ? []
    : (await textsOf(page)).filter(untranslatedIn(data)).map((text) => `English: ${text}`)
  const cut = (await cutOff(page)).filter((fault) => !isCutData(fault, data))
  return [...new Set([...violations, ...foreign, ...cut])]
}

/**
 * Asserts that a screen has no fault at either width. Faults are checked again with newer data, because a text may
 * arrive late.
 */
async function expectFaultless(page: Page, screen: string, rules: Rules) {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    let faults = await faultsOf(page, rules)
    for (let tries = 0; faults.length > 0 && tries < 3; tries++) {
      data = await readData()
      await page.waitForTimeout(1_000 * tries)
      faults = await faultsOf(page, rules)
    }
    expect.soft(faults, `${screen}, ${width} px`).toEqual([])
  }
}

for (const language of languages) {
  test(`the screens in ${known[language].name}: no English, nothing cut off`, async ({ browser }) => {
    for (const screen of screensOf(language)) {
      const context = await open(browser, language, screen.role)
      const page = await context.newPage()
      await followSystemTheme(page)
      const answer = await show(page, screen, messagesOf(language))
      const headers = answer?.headers() ?? {}
      const tag = language === 'en' ? 'en-IN' : language
      await expect(page.locator('html')).toHaveAttribute('lang', tag)
      expect(headers['content-language']).toBe(tag)
      expect(headers.vary).toBe('Accept-Encoding, Cookie, Accept-Language')
      await expectFaultless(page, screen.name, { english: language === 'en', axe: isNight })
      await context.close()
    }
  })
}

test('every text of the screens is in the catalogue, and fits if it is 40 % longer', async ({ browser }) => {
  for (const screen of screens) {
    const context = await open(browser, 'hi', screen.role)
    await speakPseudo(context)
    const page = await context.newPage()
    await followSystemTheme(page)
    await show(page, screen, pseudoMessages)
    await expectFaultless(page, screen.name, { english: false, axe: false })
    await context.close()
  }
})

async function choose(page: Page, language: Language) {
  await page.locator('.language-menu summary').click()
  await page.locator(`.language-menu a[hreflang="${language}"]`).click()
  await expect(page.locator('html')).toHaveAttribute('lang', language)
  await expect(page.locator('#shell')).toHaveCount(0)
}

test('a change of language keeps what was typed, but no password', async ({ page }) => {
  const { appointments, auth } = messagesOf('kn')
  await page.goto('/')
  await page.getByLabel('Name').fill('Asha Rao')
  await page.getByLabel('Phone').fill('9876543210')
  await choose(page, 'kn')
  await expect(page.getByLabel(appointments.form.name)).toHaveValue('Asha Rao')
  await expect(page.getByLabel(appointments.form.phone)).toHaveValue('9876543210')

  await page.goto('/register')
  await page.getByLabel(auth.name).fill('Asha Rao')
  await page.getByLabel(auth.email).fill('asha@example.in')
  await page.getByLabel(auth.password).fill('velvet-okra-17')
  await choose(page, 'hi')
  const hindi = messagesOf('hi').auth
  await expect(page.getByLabel(hindi.name)).toHaveValue('Asha Rao')
  await expect(page.getByLabel(hindi.email)).toHaveValue('asha@example.in')
  await expect(page.getByLabel(hindi.password)).toHaveValue('')
})

test('the language of a person is chosen in the account settings and wins over that of the browser', async ({
  browser,
}) => {
  const account = await hire('reception')
  const { page, context } = await arrive(browser, account)
  await page.getByLabel('Visitor Name').fill('Sunita Pawar')
  await page.locator('.bar-person').click()
  await page.getByRole('button', { name: 'Account Settings' }).click()
  await page.getByRole('combobox', { name: 'Language', exact: true }).click()
  await page.locator('.ant-select-item-option').filter({ hasText: known.mr.name }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'mr')
  await expect(page.getByLabel(messagesOf('mr').visits.form.name)).toHaveValue('Sunita Pawar')
  await context.close()

  const anew = await browser.newContext()
  const other = await anew.newPage()
  await signIn(other, account)
  await expect(other.locator('html')).toHaveAttribute('lang', 'mr')
  await anew.close()
})

test('a name in an Indian script is found in Latin letters, and the other way round', async ({ browser }) => {
  const reception = await deskOfRole('reception')
  const sunita = await reception.register({ name: 'सुनीता गायकवाड' })
  const thimmappa = await reception.register({ name: 'Thimmappa Nayaka' })
  const { page, context } = await arrive(browser, accountOf('reception'))
  await find(page, 'sunita')
  await expect(page.getByRole('listitem').filter({ hasText: sunita.token }).first()).toBeVisible()
  await find(page, 'ತಿಮ್ಮಪ್ಪ')
  await expect(page.getByRole('listitem').filter({ hasText: thimmappa.token }).first()).toBeVisible()
  await expect(page.getByText('सुनीता गायकवाड')).toHaveCount(0)
  await context.close()
})

test('a service is shown in the language of the page, or in English, marked as such', async ({ browser }) => {
  const name = `Notice Reply ${Date.now()}`
  const kannada = `ನೋಟಿಸ್ ಉತ್ತರ ${Date.now()}`
  await asAdmin('POST', '/api/services', {
    name,
    est_minutes: 25,
    texts: { kn: { name: kannada, description: '' } },
  })
  for (const [language, shown] of [
    ['kn', kannada],
    ['hi', name],
  ] as const) {
    const context = await open(browser, language, 'reception')
    const page = await context.newPage()
    await page.goto('/')
    const entry = page.locator('.ld-entry').filter({ hasText: shown })
    await expect(entry).toBeVisible()
    await expect(entry.locator('[lang="en"]').filter({ hasText: name })).toHaveCount(shown === name ? 1 : 0)
    await page.goto('/dashboard/receptionist')
    await page.getByLabel(messagesOf(language).visits.form.service).fill(name)
    await expect(page.getByTitle(shown)).toBeVisible()
    await context.close()
  }
})

test('the privacy notice is in the language of the page', async ({ browser }) => {
  const { notice } = (await (await fetch(`${baseURL()}/api/office`)).json()) as Pick<Office, 'notice'>
  for (const language of ['kn', 'ta'] as const) {
    const context = await open(browser, language)
    const page = await context.newPage()
    await page.goto('/')
    await page.getByRole('button', { name: messagesOf(language).landing.notice.open }).click()
    const title = page.getByRole('dialog').getByRole('heading')
    await expect(title).toHaveText(notice.translations?.[language]?.title ?? 'no translation')
    await context.close()
  }
})

/** Returns the texts and fonts that a page in this language fetches, except those of English. */
async function fetchedFor(browser: Browser, language: Language, at: string, account?: Account) {
  const context = await browser.newContext(
    account && { storageState: (await openSession(account)).storageState },
  )
  await context.addCookies([{ name: 'baari_lang', value: language, url: baseURL() }])
  const page = await context.newPage()
  const names: string[] = []
  page.on('request', (request) => names.push(new URL(request.url()).pathname))
  await page.goto(at)
  await expect(page.locator('#shell')).toHaveCount(0)
  if (account)
    await expect(page.getByText(messagesOf(language).live.connected, { exact: true })).toBeVisible()
  await page.evaluate(() => document.fonts.ready)
  await context.close()
  const files = names.flatMap((name) => {
    const [, font] = /anek-(devanagari|kannada|tamil|telugu)-/.exec(name) ?? []
    const [, script] = /\/((?:hi|kn|ta|te|mr)(?:_IN|-public|-staff)?|antd-te)-[^/]*\.js$/.exec(name) ?? []
    return font ?? script ?? []
  })
  return [...new Set(files)].sort()
}

test('a page fetches the script and the fonts of its own language only; in English none', async ({
  browser,
}) => {
  const idle = await hire('consultant', 'Asha Rao')
  const pages = [
    ['/', ['kannada', 'kn-public']],
    ['/login', ['kannada', 'kn-public', 'kn_IN']],
    ['/dashboard/consultant', ['kannada', 'kn', 'kn-public', 'kn-staff', 'kn_IN'], idle],
  ] as const
  for (const [at, files, account] of pages) {
    expect(await fetchedFor(browser, 'en', at, account), at).toEqual([])
    expect(await fetchedFor(browser, 'kn', at, account), at).toEqual(files)
  }
})
