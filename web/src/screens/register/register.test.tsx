import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import { authClient } from '@/features/auth/auth-client'
import { userOf } from '@/test/fixtures'
import { openOffice } from '@/test/office'
import { renderApp } from '@/test/render-app'
import { server } from '@/test/server'

const signUp = 'POST /api/auth/sign-up/email'
const setRole = 'PUT /api/users/reception-user'
const list = 'POST /api/users'

function openRegister() {
  const office = openOffice({ user: null })
  office.answer(signUp, () => {
    office.state.user = userOf('reception')
    return {}
  })
  office.answer(setRole, () => ({ data: userOf('reception') }))
  office.answer(list, () => ({ data: userOf('reception') }))
  return { office, ...renderApp('/register') }
}

type View = ReturnType<typeof openRegister>
type Form = { name?: string; email?: string; password?: string }

const button = () => screen.findByRole('button', { name: /^(Create Account|Loading\.\.\.)$/ })

async function fillIn({ person }: View, form: Form = {}) {
  const { name = 'Rekha', email = 'rekha@lekha.example', password = 'secret' } = form
  await screen.findByLabelText('Full Name')
  if (name) await person.type(screen.getByLabelText('Full Name'), name)
  if (email) await person.type(screen.getByLabelText('Email'), email)
  if (password) await person.type(screen.getByLabelText('Password'), password)
}

async function choose({ person }: View, role: string) {
  await person.click(screen.getByLabelText('Role'))
  await person.click(await screen.findByTitle(role))
}

async function submit(view: View, form?: Form) {
  await fillIn(view, form)
  await view.person.click(await button())
}

test('the form asks for name, email, password and role (S2.route.03, S2.register.01-04, S2.register.09)', async () => {
  openRegister()
  for (const label of ['Full Name', 'Email', 'Password', 'Role']) {
    expect(await screen.findByLabelText(label)).toBeVisible()
  }
  expect(await button()).toHaveTextContent(/^Create Account$/)
})

test('the roles on offer: reception, PA and consultant, never admin (S2.register.05-08, S5.register.05)', async () => {
  const { person } = openRegister()
  const role = await screen.findByLabelText('Role')
  expect(role).not.toBeRequired()
  await person.click(role)
  const offered = await waitFor(() => {
    const options = document.querySelectorAll('.ant-select-item-option')
    expect(options).not.toHaveLength(0)
    return [...options].map(({ textContent }) => textContent)
  })
  expect(offered).toEqual(['Reception', 'PA (Personal Assistant)', 'Consultant'])
})

test('the role that counts without a choice is seen, and so is what a password needs', async () => {
  openRegister()
  const role = await screen.findByLabelText('Role')
  expect(role.closest('.ant-select')).toHaveTextContent('Reception')
  expect(screen.getByLabelText('Password')).toHaveAccessibleDescription(
    'At least 6 characters, and not easy to guess',
  )
})

test('who has an account goes back to /login (S2.register.11-12)', async () => {
  const { person, path } = openRegister()
  await person.click(await screen.findByRole('link', { name: 'Already have an account? Sign in' }))
  await waitFor(() => expect(path()).toBe('/login'))
})

test.each([
  ['a name', { name: '' }, 'Full Name'],
  ['an email', { email: '' }, 'Email'],
  ['a password', { password: '' }, 'Password'],
])('without %s the form is not sent (S5.register.01-03)', async (_what, form, label) => {
  const view = openRegister()
  await submit(view, form)
  expect(screen.getByLabelText(label)).toBeInvalid()
  expect(view.office.asked(signUp)).toHaveLength(0)
})

test('what else is wrong the server says; the form has no rule and no message of its own (S5.register.04)', async () => {
  const view = openRegister()
  view.office.fail(signUp, 400, { message: '[body.email] Invalid email address' })
  await submit(view, { email: 'rekha', password: '1' })
  expect(await screen.findByText('[body.email] Invalid email address')).toBeInTheDocument()
  expect(view.office.asked(signUp)[0]?.body).toMatchObject({ email: 'rekha', password: '1' })
  expect(document.querySelector('.ant-form-item-explain-error')).toBeNull()
})

test('an account is made, given its role, listed, and its owner sent to sign in (S3.payload.01, S4.auth.04, S4.auth.10-11, S7.api.03-06, S8.register.04, S8.toast.02)', async () => {
  const view = openRegister()
  await fillIn(view)
  await choose(view, 'PA (Personal Assistant)')
  await view.person.click(await button())

  expect(await screen.findByText('Account created successfully')).toBeInTheDocument()
  await waitFor(() => expect(view.path()).toBe('/login'))
  const { office } = view
  expect(office.asked(signUp).map(({ body }) => body)).toEqual([
    { name: 'Rekha', email: 'rekha@lekha.example', password: 'secret', callbackURL: '/dashboard' },
  ])
  const [role, listed] = [office.asked(setRole)[0], office.asked(list)[0]]
  expect(role?.body).toEqual({ role: 'pa', isActive: true, is_active: true })
  expect(role?.headers.get('Authorization')).toBe('Bearer token-of-the-session')
  expect(listed?.body).toEqual({ name: 'Rekha', email: 'rekha@lekha.example', role: 'pa' })
  expect(listed?.headers.get('Content-Type')).toBe('application/json')
  const order = office.seen.map(({ method, path }) => `${method} ${path}`)
  expect(order.filter((call) => [signUp, setRole, list].includes(call))).toEqual([signUp, setRole, list])
  expect(await screen.findByRole('heading', { name: 'Welcome back' })).toBeVisible()
})

test('the listing carries the credentials of the page (S7.api.04)', async () => {
  const sent = vi.spyOn(globalThis, 'fetch')
  const view = openRegister()
  await submit(view)
  await waitFor(() => expect(view.office.asked(list)).toHaveLength(1))
  const request = sent.mock.calls
    .map(([input]) => input)
    .find((input) => input instanceof Request && input.method === 'POST' && input.url.endsWith('/api/users'))
  expect(request).toMatchObject({ credentials: 'include' })
})

test('without a chosen role it is reception (S6.role.01)', async () => {
  const view = openRegister()
  await submit(view)
  await waitFor(() => expect(view.office.asked(list)).toHaveLength(1))
  expect(view.office.asked(setRole)[0]?.body).toMatchObject({ role: 'reception' })
  expect(view.office.asked(list)[0]?.body).toMatchObject({ role: 'reception' })
})

test('while it is busy the button says so and sends nothing more (S2.register.10)', async () => {
  const view = openRegister()
  const release = view.office.hold(signUp)
  await submit(view)
  expect(await button()).toHaveTextContent('Loading...')
  expect(await button()).toBeDisabled()
  release()
  await screen.findByText('Account created successfully')
  expect(view.office.asked(signUp)).toHaveLength(1)
})

test('an account that could not be listed is said, beside the success, and the way is the same (S7.api.06, S8.toast.02-03)', async () => {
  const view = openRegister()
  view.office.fail(list, 500)
  await submit(view)
  expect(await screen.findByText('Failed to create account')).toBeInTheDocument()
  expect(await screen.findByText('Account created successfully')).toBeInTheDocument()
  await waitFor(() => expect(view.path()).toBe('/login'))
})

test.each([
  ["the server's message", { message: 'User already exists.' }, 'User already exists.'],
  ['Registration failed', {}, 'Registration failed'],
])('a refused registration says %s and nothing else follows (S8.register.01)', async (_what, body, said) => {
  const view = openRegister()
  view.office.fail(signUp, 422, body)
  await submit(view)
  expect(await screen.findByText(said)).toBeInTheDocument()
  await waitFor(async () => expect(await button()).toBeEnabled())
  expect(screen.queryByText('Account created successfully')).toBeNull()
  expect(view.path()).toBe('/register')
  expect(view.office.asked(setRole)).toHaveLength(0)
})

test.each([
  ['answers no data', () => HttpResponse.json({})],
  ['answers data that is null', () => HttpResponse.json({ data: null })],
])('a role update that %s fails with Error updating user role (S8.register.02)', async (_what, answer) => {
  const view = openRegister()
  server.use(http.put('*/api/users/reception-user', answer))
  await submit(view)
  expect(await screen.findByText('Error updating user role')).toBeInTheDocument()
  expect(screen.queryByText('Account created successfully')).toBeNull()
  expect(view.office.asked(list)).toHaveLength(0)
})

test.each([
  ['an error without a message', new Error('')],
  ['something that is no error', undefined],
])('%s says Unknown Register Error (S8.register.03)', async (_what, raised) => {
  const view = openRegister()
  vi.spyOn(authClient, 'signUp').mockImplementation(() => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- what is thrown is what is tested
    throw raised
  })
  await submit(view)
  expect(await screen.findByText('Unknown Register Error')).toBeInTheDocument()
})

test('a role update that finds no session any more leads to /login, said once (S4.auth.13)', async () => {
  const view = openRegister()
  view.office.fail(setRole, 401)
  await submit(view)
  await waitFor(() => expect(view.path()).toBe('/login'))
  expect(await screen.findAllByText('Unauthorized access')).toHaveLength(1)
})
