import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { appointmentOf, userOf, visitOf } from '@/test/fixtures'
import { openOffice } from '@/test/office'
import { renderApp } from '@/test/render-app'
import { server } from '@/test/server'

const title = 'Kept, sent in this order when the connection is back'
const failed = 'Failed to create visitor token'

const problem = (status: number, code: string, error: string) =>
  HttpResponse.json({ error, code, request_id: 'r' }, { status })

const refusal = () => problem(422, 'other', 'The service is not offered any more.')

type Answer = ReturnType<typeof problem> | undefined

const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' }).format(new Date())
// An appointment of an older release, without the id of its service, fills the form.
const request = appointmentOf('r1', {
  name: 'Leela',
  status: 'confirmed',
  preferredDate: today,
  serviceId: null,
})

/**
 * A desk that expects Leela. Its registrations get no response until `comeBack` is called. From then on, they
 * get the response of `answerOf`, or a visit if `answerOf` returns undefined.
 */
async function openAway(answerOf: (name: string) => Answer | Promise<Answer> = () => undefined) {
  const office = openOffice({ user: userOf('reception') })
  office.answer('GET /api/appointments', () => ({
    appointments: [request],
    pagination: { page: 1, limit: 20, total: 1, pages: 1 },
  }))
  office.answer('PUT /api/appointments/r1', () => ({ appointment: { ...request, status: 'done' } }))
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
      return answerOf(name)
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

async function send(person: Person, name: string) {
  await waitFor(() => expect(screen.getByLabelText('Visitor Name')).toHaveValue(''))
  await person.type(screen.getByLabelText('Visitor Name'), name)
  await person.type(screen.getByLabelText('Phone Number'), '9876543210')
  await person.click(screen.getByLabelText('Service Required'))
  await person.click(await screen.findByTitle('ITR Filing'))
  await person.click(screen.getByRole('button', { name: 'Create Token' }))
}

async function register(person: Person, name: string) {
  await send(person, name)
  await screen.findByRole('button', { name: `Discard the entry of ${name}` })
}

const strip = () => screen.getByRole('region', { name: 'Kept entries' })
const names = () =>
  within(strip())
    .getAllByRole('listitem')
    .map(({ textContent }) => /Asha|Bilal|Chitra/.exec(textContent)?.[0])

test('three entries without a response free the form, and get their tokens in order', async () => {
  const { person, sent, comeBack } = await openAway()
  await register(person, 'Asha')
  expect(screen.getByText(failed)).toBeInTheDocument()
  const toasts: Node[] = []
  const watch = new MutationObserver((changes) => {
    const added = changes.flatMap(({ addedNodes }) => [...addedNodes])
    toasts.push(...added.filter(({ textContent }) => textContent?.includes(failed)))
  })
  watch.observe(document.body, { childList: true, subtree: true })
  await register(person, 'Bilal')
  await register(person, 'Chitra')
  expect(names()).toEqual(['Asha', 'Bilal', 'Chitra'])
  watch.disconnect()
  expect(toasts).toEqual([])
  expect(screen.getByRole('button', { name: 'Create Token' })).toBeEnabled()

  comeBack()
  await waitFor(() => expect(strip()).toHaveTextContent(/T-021 Asha.*T-022 Bilal.*T-023 Chitra/))
  expect(sent.map(({ name }) => name)).toEqual(['Asha', 'Bilal', 'Chitra'])
  expect(new Set(sent.map(({ key }) => key)).size).toBe(3)
  expect(screen.queryByText(title)).toBeNull()
  for (const name of ['Asha', 'Bilal', 'Chitra'])
    await person.click(screen.getByRole('button', { name: `Put away the entry of ${name}` }))
  expect(screen.getByLabelText('Visitor Name')).toHaveFocus()
  expect(screen.queryByRole('region', { name: 'Kept entries' })).toBeNull()
})

test('a refused entry stays with its reason, stops no other, and goes back into the form', async () => {
  const { person, comeBack } = await openAway((name) => (name === 'Asha' ? refusal() : undefined))
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
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Kept entries' })).toBeNull())
})

test('after an entry is discarded the focus is at the next one', async () => {
  const { person } = await openAway()
  for (const name of ['Asha', 'Bilal']) await register(person, name)
  await person.click(screen.getByRole('button', { name: 'Discard the entry of Asha' }))
  expect(names()).toEqual(['Bilal'])
  expect(screen.getByRole('button', { name: 'Discard the entry of Bilal' })).toHaveFocus()
})

test('a question that is open when the last entry is sent is answered: the person signs out', async () => {
  const { office, person, comeBack } = await openAway()
  await register(person, 'Asha')
  await person.click(screen.getByRole('button', { name: /Profile$/ }))
  await person.click(await screen.findByRole('button', { name: 'Sign Out' }))
  await screen.findByText('1 entry is not sent yet')
  comeBack()
  await waitFor(() => expect(office.requests('POST /api/auth/sign-out')).toHaveLength(1))
  expect(office.requests('POST /api/visits')).toHaveLength(1)
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
  expect(screen.queryByText(title)).toBeNull()
  await screen.findByText('Connected')
  // A later registration shows that nothing else was sent before it.
  await send(person, 'Bilal')
  await screen.findByText('Token T-021 created successfully')
  expect(sent.map(({ name }) => name)).toEqual(['Bilal'])
})

test('an entry that the server may still accept is sent again with its key, before the others', async () => {
  const failures = [problem(503, 'unavailable', 'The service is not available. Please try again.')]
  const { person, sent, comeBack } = await openAway(() => failures.shift())
  await register(person, 'Asha')
  await register(person, 'Bilal')
  comeBack()
  await waitFor(() => expect(strip()).toHaveTextContent(/T-021 Asha.*T-022 Bilal/))
  expect(sent.map(({ name }) => name)).toEqual(['Asha', 'Asha', 'Bilal'])
  expect(new Set(sent.map(({ key }) => key)).size).toBe(2)
  expect(screen.queryByText(/^The service is not available/)).toBeNull()
})

test('a registration that succeeds without live updates sends the kept ones', async () => {
  const { office, person, sent, comeBack } = await openAway()
  office.fail('GET /api/stream')
  office.cutStream()
  await screen.findByText('Disconnected')
  await register(person, 'Asha')
  comeBack()
  await send(person, 'Bilal')
  await waitFor(() => expect(strip()).toHaveTextContent('T-022 Asha'))
  expect(sent.map(({ name }) => name)).toEqual(['Bilal', 'Asha'])
  expect(screen.getByText('Disconnected')).toBeVisible()
})

test('an entry that is discarded while it is sent does not come back as refused', async () => {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const { person, sent, comeBack } = await openAway(() => promise)
  await register(person, 'Asha')
  comeBack()
  await waitFor(() => expect(sent).toHaveLength(1))
  await person.click(screen.getByRole('button', { name: 'Discard the entry of Asha' }))
  resolve(refusal())
  await screen.findAllByText(/^The service is not offered any more/)
  expect(screen.queryByRole('region', { name: 'Kept entries' })).toBeNull()
})

const nameField = () => screen.getByLabelText('Visitor Name')
const createToken = () => screen.getByRole('button', { name: 'Create Token' })
const openLeela = async (person: Person) =>
  person.click(await screen.findByRole('button', { name: 'Check in Leela' }))

test('Correct waits until the form is free, and an unchanged entry has its key', async () => {
  const { person, sent, comeBack } = await openAway(refusal)
  await register(person, 'Asha')
  comeBack()
  const correct = await screen.findByRole('button', { name: 'Correct the entry of Asha' })
  await person.type(nameField(), 'Bilal')
  expect(correct).toBeDisabled()
  await person.clear(nameField())
  await waitFor(() => expect(correct).toBeEnabled())
  await person.click(correct)
  await waitFor(() => expect(nameField()).toHaveValue('Asha'))
  expect(screen.queryByRole('region', { name: 'Kept entries' })).toBeNull()
  // A draft, which survives a reload, has the entry.
  expect(sessionStorage.getItem('baari.drafts')).toContain('Asha')
  await person.click(createToken())
  await waitFor(() => expect(sent).toHaveLength(2))
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1)
})

test('a corrected entry keeps its appointment, which the server marks with its token', async () => {
  const refusals = [refusal()]
  const { office, person, comeBack } = await openAway(() => refusals.shift())
  await openLeela(person)
  await person.click(createToken())
  await screen.findByRole('button', { name: 'Discard the entry of Leela' })
  comeBack()
  await person.click(await screen.findByRole('button', { name: 'Correct the entry of Leela' }))
  await person.type(nameField(), ' Nair')
  await person.click(createToken())
  await screen.findByText('Token T-021 created successfully')
  expect(office.requests('POST /api/visits')[0]?.body).toMatchObject({
    name: 'Leela Nair',
    appointment_id: 'r1',
  })
  expect(office.requests('PUT /api/appointments/r1')).toHaveLength(0)
})

test.each([
  { what: 'is refused', answer: refusal },
  { what: 'has no response', answer: () => HttpResponse.error() },
])('a registration that $what after its form was left is kept, and changes no other', async ({ answer }) => {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const { person, comeBack } = await openAway(() => promise)
  comeBack()
  await send(person, 'Asha')
  await openLeela(person)
  const notes = screen.getByLabelText(/^Special Notes/)
  await person.type(notes, ' and the son')
  resolve(answer())
  await screen.findByRole('button', { name: 'Discard the entry of Asha' })
  expect(nameField()).toHaveValue('Leela')
  expect(notes).toHaveValue(`${request.message} and the son`)
  expect(notes).toHaveFocus()
})

test('of two registrations on their way, each is recorded until its own response', async () => {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const { promise: never } = Promise.withResolvers<Answer>()
  const { person, sent, comeBack } = await openAway((name) => (name === 'Asha' ? promise : never))
  comeBack()
  await send(person, 'Asha')
  await openLeela(person)
  await person.click(createToken())
  await waitFor(() => expect(sent).toHaveLength(2))
  resolve(undefined)
  await screen.findByText('Token T-021 created successfully')
  await waitFor(() => expect(sessionStorage.getItem('baari.drafts')).not.toContain('Asha'))
  expect(sessionStorage.getItem('baari.drafts')).toContain('Leela')
})

test('a person who searches while a registration is sent keeps the focus', async () => {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const { person, comeBack } = await openAway(() => promise)
  comeBack()
  await send(person, 'Asha')
  const search = screen.getByRole('searchbox', { name: /Search/ })
  await person.click(search)
  resolve(undefined)
  await waitFor(() => expect(nameField()).toHaveValue(''))
  expect(search).toHaveFocus()
})

test('a registration that was on its way when the page was closed is kept, and not typed again', async () => {
  const visit = JSON.stringify({ name: 'Asha', phone: '9876543210', serviceId: 'itr' })
  const texts = { visitor: visit, 'in-flight': `{"key-of-before":${visit}}` }
  sessionStorage.setItem('baari.drafts', JSON.stringify({ owner: userOf('reception').id, texts }))
  const { sent, comeBack } = await openAway()
  await screen.findByRole('button', { name: 'Discard the entry of Asha' })
  expect(nameField()).toHaveValue('')
  comeBack()
  await waitFor(() => expect(strip()).toHaveTextContent('T-021 Asha'))
  expect(sent).toEqual([{ name: 'Asha', key: 'key-of-before' }])
})
