import type { Page } from '@playwright/test'
import { flashes } from './answers'
import { provoke } from './faults'
import { linkInMailTo } from './mail'
import { newUser, register } from './new-users'
import { accountOf, arrive, signIn } from './people'
import { expect, test } from './test'

const openProfile = (page: Page) => page.getByRole('button', { name: /Profile$/ }).click()

// S1.staff.01-02, S2.login.12-14, S2.route.17, S3.storage.01-02, S8.register.04, S8.toast.01
test('a new PA registers, signs in and has a dashboard', { tag: '@main' }, async ({ page }) => {
  const pa = newUser()
  await register(page, pa, 'PA (Personal Assistant)')
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()

  await page.evaluate(() => Object.assign(window, { beforeTheLoad: true }))
  await page.getByLabel('Email').fill(pa.email.toUpperCase())
  await page.getByLabel('Password').fill(pa.password)
  const welcomed = flashes(page, 'Logged in successfully')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await welcomed
  await expect(page).toHaveURL('/dashboard/pa')
  await expect(page.getByRole('heading', { name: 'PA Dashboard' })).toBeVisible()

  const kept = await page.evaluate(() => ({
    loadedAnew: !('beforeTheLoad' in window),
    token: localStorage.getItem('baari.token'),
    user: JSON.parse(localStorage.getItem('baari.user') ?? '{}') as { email: string; role: string },
  }))
  expect(kept.loadedAnew).toBe(true)
  expect(kept.token).toMatch(/^\w{32}$/)
  expect(kept.user).toMatchObject({ email: pa.email, role: 'pa' })

  await page.goBack()
  await expect(page).not.toHaveURL('/login')
})

// S6.role.01
test('a registration without a chosen role makes a receptionist', async ({ page }) => {
  const desk = newUser('reception')
  await register(page, desk)
  await signIn(page, desk)
  await expect(page).toHaveURL('/dashboard/receptionist')
})

// S4.signin.02, S8.signin.01
test('a wrong password shows an error and the form stays usable', { tag: '@main' }, async ({ page }) => {
  provoke(page, /^401 POST \/api\/auth\/sign-in\/email$/, /^console Error: Invalid email or password/)
  const { email } = accountOf('pa')
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill('not-the-password')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByText('Invalid email or password')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeEnabled()
  await expect(page).toHaveURL('/login')
})

// S5.signin.01, S5.signin.04, S5.signin.06
test('validation errors of the sign-in form are red and under their fields', async ({ page }) => {
  await page.goto('/login')
  await page.getByRole('button', { name: 'Sign In' }).click()
  for (const sentence of ['Email is required', 'Password is required']) {
    const shown = page.getByText(sentence)
    await expect(shown).toBeVisible()
    const colour = await shown.evaluate((element) => getComputedStyle(element).color)
    const [red = 0, green = 255, blue = 255] = (colour.match(/\d+/g) ?? []).map(Number)
    expect(red).toBeGreaterThan(2 * Math.max(green, blue))
  }
})

// S4.gate.05-06, S6.guard.01-02
test('the guard explains each redirect', async ({ browser, page }) => {
  await page.goto('/dashboard/admin')
  await expect(page).toHaveURL('/login')
  await expect(page.getByText('You are not authenticated. Please login to continue.')).toBeVisible()

  const pa = await arrive(browser, accountOf('pa'))
  await pa.page.goto('/dashboard/admin')
  await expect(pa.page).toHaveURL('/dashboard/pa')
  await expect(pa.page.getByText('You do not have permission to access this page.')).toBeVisible()
  await pa.context.close()
})

// S1.public.02
test('without a session no part of a dashboard is drawn', async ({ browser, page }) => {
  const drawn = (page: Page) => page.evaluate(() => (window as { drawn?: boolean }).drawn ?? false)
  const watchDrawing = (page: Page) =>
    page.addInitScript(() => {
      const look = () => {
        if (document.querySelector('.bar, .page, .panel')) Object.assign(window, { drawn: true })
      }
      new MutationObserver(look).observe(document, { childList: true, subtree: true })
    })
  await watchDrawing(page)
  for (const dashboard of ['', '/receptionist', '/pa', '/consultant', '/admin']) {
    await page.goto(`/dashboard${dashboard}`)
    await expect(page).toHaveURL('/login')
    expect(await drawn(page), dashboard).toBe(false)
  }

  const staff = await arrive(browser, accountOf('pa'))
  await watchDrawing(staff.page)
  await staff.page.reload()
  await expect(staff.page.getByRole('heading', { name: 'PA Dashboard' })).toBeVisible()
  expect(await drawn(staff.page), 'the watch sees a dashboard').toBe(true)
  await staff.context.close()
})

// S4.gate.07, S6.inactive.01-02
test(
  'a deactivated account is blocked at once with a message',
  { tag: '@main' },
  async ({ browser, page }) => {
    const pa = newUser()
    await register(page, pa, 'PA (Personal Assistant)')
    provoke(page, /^403 GET \/api\//)
    await signIn(page, pa)
    await expect(page.getByText('Connected', { exact: true })).toBeVisible()
    const id = await page.evaluate(
      () => (JSON.parse(localStorage.getItem('baari.user') ?? '{}') as { id: string }).id,
    )

    const admin = await arrive(browser, accountOf('admin'))
    const token = await admin.page.evaluate(() => localStorage.getItem('baari.token'))
    const answer = await admin.page.request.put(`/api/users/${id}`, {
      headers: { Authorization: `Bearer ${token}` },
      data: { isActive: false, is_active: false },
    })
    expect(answer.status()).toBe(200)
    await admin.context.close()

    const sentence = 'Account Inactive: Your account has been deactivated. Please contact your administrator.'
    await expect(page.getByText(sentence)).toBeVisible()
    await page.reload()
    await expect(page.getByText(sentence)).toBeVisible()
    await page.getByRole('button', { name: 'Return to Login' }).click()
    await expect(page).toHaveURL('/login')
    await expect(page.getByText('You are not authenticated')).toBeHidden()
  },
)

// S2.layout.11-12
test(
  'Sign Out ends the session and opens the landing page, without a message',
  { tag: '@main' },
  async ({ browser }) => {
    const { page, context } = await arrive(browser, accountOf('pa'))
    const token = await page.evaluate(() => localStorage.getItem('baari.token'))
    await openProfile(page)
    await page.getByRole('button', { name: 'Sign Out' }).click()
    await expect(page).toHaveURL('/')
    await expect(page.getByText('You are not authenticated')).toBeHidden()
    // ASVS 14.3.1
    expect(await page.evaluate(() => localStorage.getItem('baari.token'))).toBeNull()
    // Within a second, other services reject the old token.
    const read = () =>
      page.request.get('/api/visits/today', { headers: { Authorization: `Bearer ${token}` } })
    await expect.poll(async () => (await read()).status()).toBe(401)
    await page.goto('/dashboard')
    await expect(page).toHaveURL('/login')
    await context.close()
  },
)

// S2.layout.10
test('a changed name is saved', async ({ page }) => {
  const pa = newUser()
  await register(page, pa, 'PA (Personal Assistant)')
  await signIn(page, pa)
  await openProfile(page)
  await page.getByRole('button', { name: 'Edit Profile' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Profile' })
  await dialog.getByLabel('Name').fill('Rekha Rao')
  const saved = flashes(page, 'Profile saved')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await saved
  await page.reload()
  await expect(page.getByRole('banner')).toContainText('Rekha Rao')
})

// S4.auth.12-13
test('a session that was ended on another device ends here with the next call', async ({ page }) => {
  const pa = newUser()
  await register(page, pa, 'PA (Personal Assistant)')
  provoke(page, /^401 GET \/api\//)
  await signIn(page, pa)
  await expect(page.getByText('Connected', { exact: true })).toBeVisible()
  const token = await page.evaluate(() => localStorage.getItem('baari.token'))
  const headers = { Authorization: `Bearer ${token}`, Origin: new URL(page.url()).origin }
  const revoked = await page.request.post('/api/auth/revoke-sessions', { headers, data: {} })
  expect(revoked.status()).toBe(200)
  await expect(page).toHaveURL('/login')
  expect(await page.evaluate(() => localStorage.getItem('baari.token'))).toBeNull()
})

test('a forgotten password is replaced with a mailed link, once', { tag: '@main' }, async ({ page }) => {
  const pa = newUser()
  await register(page, pa, 'PA (Personal Assistant)')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
  await page.getByLabel('Email').fill(pa.email)
  await page.getByRole('button', { name: 'Send Link' }).click()
  await expect(page.getByText(`If ${pa.email} has an account`)).toBeVisible()

  const link = await linkInMailTo(pa.email)
  await page.goto(link)
  await expect(page).toHaveURL(/\/reset-password\?token=/)
  await page.getByLabel('New password').fill('okra-velvet-71')
  const changed = flashes(page, 'Password set. Please sign in.')
  await page.getByRole('button', { name: 'Set Password' }).click()
  await changed
  await expect(page).toHaveURL(/\/login$/)
  await signIn(page, { ...pa, password: 'okra-velvet-71' })
  await expect(page).toHaveURL('/dashboard/pa')

  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'This link has expired' })).toBeVisible()
  await page.getByRole('button', { name: 'Request a new link' }).click()
  await expect(page).toHaveURL(/\/forgot-password$/)
})
