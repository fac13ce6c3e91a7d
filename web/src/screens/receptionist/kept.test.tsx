import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { userOf, visitOf } from '@/test/fixtures'
import { openOffice } from '@/test/office'
import { renderApp } from '@/test/render-app'
import { server } from '@/test/server'

const title = 'Kept, sent in this order when the connection is back'
const failed = 'Failed to create visitor token'

/** A desk whose registrations get no response until the server is back. It then refuses the visitor of this name. */
async function openAway(refused = '') {
  const office = openOffice({ user: userOf('reception') })
  let number = 20
  office.answer('POST /api/visits', () => ({ visit: visitOf((number += 1)) }))
  const desk = { office, ...renderApp('/dashboard/receptionist') }
  let away = true
  const sent: { name: string; key: string | null }[] = []
  server.use(
    http.post('*/api/visits', async ({ request }) => {
      if (away) return HttpResponse.error()
      const { name } = (await request.clone().json()) as { name: string }
      sent.push({ name, key: request.headers.get('Idempotency-Key') })
      if (name !== refused) return undefined
      const body = { error: 'The service is not offered any more.', code: 'other', request_id: 'r' }
      return HttpResponse.json(body, { status: 422 })
    }),
  )
  await screen.findByText('Connected')
  const comeBack = () => {
    away = false
    window.dispatchEvent(new Event('online'))
  }
  return { ...desk, sent, comeBack }
}

type Person = Awaited<ReturnType<typeof openAway>>['person']

async function register(person: Person, name: string) {
  await waitFor(() => expect(screen.getByLabelText('Visitor Name')).toHaveValue(''))
  await person.type(screen.getByLabelText('Visitor Name'), name)
  await person.type(screen.getByLabelText('Phone Number'), '9876543210')
  await person.click(screen.getByLabelText('Service Required'))
  await person.click(await screen.findByTitle('ITR Filing'))
  await person.click(screen.getByRole('button', { name: 'Create Token' }))
  await screen.findByRole('button', { name: `Discard the entry of ${name}` })
}

const strip = () => screen.getByRole('region', { name: title })
const names = () =>
  within(strip())
    .getAllByRole('listitem')
    .map(({ textContent }) => /Asha|Bilal|Chitra/.exec(textContent)?.[0])

test('three entries without a response free the form, and get their tokens in order', async () => {
  const { person, sent, comeBack } = await openAway()
  await register(person, 'Asha')
  expect(screen.getByText(failed)).toBeInTheDocument()
  await register(person, 'Bilal')
  await register(person, 'Chitra')
  expect(names()).toEqual(['Asha', 'Bilal', 'Chitra'])
  expect(screen.queryAllByText(failed).length).toBeLessThanOrEqual(1)
  expect(screen.getByRole('button', { name: 'Create Token' })).toBeEnabled()

  comeBack()
  await waitFor(() => expect(strip()).toHaveTextContent(/T-021 Asha.*T-022 Bilal.*T-023 Chitra/))
  expect(sent.map(({ name }) => name)).toEqual(['Asha', 'Bilal', 'Chitra'])
  expect(new Set(sent.map(({ key }) => key)).size).toBe(3)
  expect(screen.queryByText(title)).toBeNull()
  for (const name of ['Asha', 'Bilal', 'Chitra'])
    await person.click(screen.getByRole('button', { name: `Put away the entry of ${name}` }))
  expect(screen.queryByRole('region', { name: title })).toBeNull()
})

test('a refused entry stays with its reason, stops no other, and goes back into the form', async () => {
  const { person, comeBack } = await openAway('Asha')
  await register(person, 'Asha')
  await register(person, 'Bilal')
  comeBack()
  await waitFor(() => expect(strip()).toHaveTextContent('T-021 Bilal'))
  expect(strip()).toHaveTextContent(/Asha.*The service is not offered any more/)
  await person.click(screen.getByRole('button', { name: 'Correct the entry of Asha' }))
  await waitFor(() => expect(screen.getByLabelText('Visitor Name')).toHaveValue('Asha'))
  expect(screen.getByLabelText('Phone Number')).toHaveValue('9876543210')
  expect(names()).toEqual(['Bilal'])
})

test('an entry is discarded, and signing out asks while one is not sent', async () => {
  const { office, person } = await openAway()
  await register(person, 'Asha')
  await person.click(screen.getByRole('button', { name: /Profile$/ }))
  await person.click(await screen.findByRole('button', { name: 'Sign Out' }))
  expect(await screen.findByText('1 entry is not sent yet')).toBeInTheDocument()
  await person.click(screen.getByRole('button', { name: 'Stay signed in' }))
  expect(office.requests('POST /api/auth/sign-out')).toHaveLength(0)
  await person.click(screen.getByRole('button', { name: 'Discard the entry of Asha' }))
  await waitFor(() => expect(screen.queryByRole('region', { name: title })).toBeNull())
})

test('an entry older than twenty hours is not sent by itself', async () => {
  const { person, sent, comeBack, unmount } = await openAway()
  await register(person, 'Asha')
  unmount()
  const yesterday = new Date(Date.now() - 21 * 3_600_000).toISOString()
  const drafts = sessionStorage.getItem('baari.drafts') ?? ''
  sessionStorage.setItem('baari.drafts', drafts.replace(/(\\"at\\":\\")[^\\]*/, `$1${yesterday}`))
  comeBack()
  renderApp('/dashboard/receptionist')
  expect(await screen.findByText(/^Kept for more than 20 hours/)).toBeVisible()
  await screen.findByText('Connected')
  expect(sent).toEqual([])
})
