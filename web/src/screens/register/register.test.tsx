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

// S2.route.03, S2.register.01-04, S2.register.09
test('the form asks for name, email, password and role', async () => {
  openRegister()
  for (const label of ['Full Name', 'Email', 'Password', 'Role']) {
    expect(await screen.findByLabelText(label)).toBeVisible()
  }
  expect(await button()).toHaveTextContent(/^Create Account$/)
})

// S2.register.05-08, S5.register.05
test('the form offers reception, PA and consultant, never admin', async () => {
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

test('the default role and the rule for passwords are visible', async () => {
  openRegister()
  const role = await screen.findByLabelText('Role')
  expect(role.closest('.ant-select')).toHaveTextContent('Reception')
  expect(screen.getByLabelText('Password')).toHaveAccessibleDescription(
    'At least 6 characters, and not easy to guess',
  )
})

// S2.register.11-12
test('a link opens /login', async () => {
  const { person, path } = openRegister()
  await person.click(await screen.findByRole('link', { name: 'Already have an account? Sign in' }))
  await waitFor(() => expect(path()).toBe('/login'))
})

// S5.register.01-03
test.each([
  ['a name', { name: '' }, 'Full Name'],
  ['an email', { email: '' }, 'Email'],
  ['a password', { password: '' }, 'Password'],
])('without %s the form is not sent', async (_what, form, label) => {
  const view = openRegister()
  await submit(view, form)
  expect(screen.getByLabelText(label)).toBeInvalid()
  expect(view.office.requests(signUp)).toHaveLength(0)
})

// S5.register.04
test('the server validates the values; the form has no rule and no message of its own', async () => {
  const view = openRegister()
  view.office.fail(signUp, 400, { message: '[body.email] Invalid email address' })
  await submit(view, { email: 'rekha', password: '1' })
  expect(await screen.findByText('[body.email] Invalid email address')).toBeInTheDocument()
  expect(view.office.requests(signUp)[0]?.body).toMatchObject({ email: 'rekha', password: '1' })
  expect(document.querySelector('.ant-form-item-explain-error')).toBeNull()
})

// S3.payload.01, S4.auth.04, S4.auth.10-11, S7.api.03-06, S8.register.04, S8.toast.02
test('an account is created, gets its role, is listed, and the user is sent to sign in', async () => {
  const view = openRegister()
  await fillIn(view)
  await choose(view, 'PA (Personal Assistant)')
  await view.person.click(await button())

  expect(await screen.findByText('Account created successfully')).toBeInTheDocument()
  await waitFor(() => expect(view.path()).toBe('/login'))
  expect(await screen.findByRole('button', { name: 'Sign In' })).toBeVisible()
  expect(screen.getByLabelText('Email')).toHaveValue('rekha@lekha.example')
  expect(screen.getByLabelText('Password')).toHaveFocus()
  const { office } = view
  expect(office.requests(signUp).map(({ body }) => body)).toEqual([
    { name: 'Rekha', email: 'rekha@lekha.example', password: 'secret', callbackURL: '/dashboard' },
  ])
  const [role, listed] = [office.requests(setRole)[0], office.requests(list)[0]]
  expect(role?.body).toEqual({ role: 'pa', isActive: true, is_active: true })
  expect(role?.headers.get('Authorization')).toBe('Bearer token-of-the-session')
  expect(listed?.body).toEqual({ name: 'Rekha', email: 'rekha@lekha.example', role: 'pa' })
  expect(listed?.headers.get('Content-Type')).toBe('application/json')
  const order = office.seen.map(({ method, path }) => `${method} ${path}`)
  expect(order.filter((call) => [signUp, setRole, list].includes(call))).toEqual([signUp, setRole, list])
  expect(await screen.findByRole('heading', { name: 'Welcome back' })).toBeVisible()
})

// S7.api.04
test('the request that lists the account has credentials', async () => {
  const sent = vi.spyOn(globalThis, 'fetch')
  const view = openRegister()
  await submit(view)
  await waitFor(() => expect(view.office.requests(list)).toHaveLength(1))
  const request = sent.mock.calls
    .map(([input]) => input)
    .find((input) => input instanceof Request && input.method === 'POST' && input.url.endsWith('/api/users'))
  expect(request).toMatchObject({ credentials: 'include' })
})

// S6.role.01
test('the default role is reception', async () => {
  const view = openRegister()
  await submit(view)
  await waitFor(() => expect(view.office.requests(list)).toHaveLength(1))
  expect(view.office.requests(setRole)[0]?.body).toMatchObject({ role: 'reception' })
  expect(view.office.requests(list)[0]?.body).toMatchObject({ role: 'reception' })
})

// S2.register.10
test('while the request is in flight the button is disabled and shows it', async () => {
  const view = openRegister()
  const release = view.office.hold(signUp)
  await submit(view)
  expect(await button()).toHaveTextContent('Loading...')
  expect(await button()).toBeDisabled()
  release()
  await screen.findByText('Account created successfully')
  expect(view.office.requests(signUp)).toHaveLength(1)
})

// S7.api.06, S8.toast.02-03
test('an account that could not be listed shows an error beside the success, and opens /login', async () => {
  const view = openRegister()
  view.office.fail(list, 500)
  await submit(view)
  expect(await screen.findByText('Failed to create account')).toBeInTheDocument()
  expect(await screen.findByText('Account created successfully')).toBeInTheDocument()
  await waitFor(() => expect(view.path()).toBe('/login'))
})

// S8.register.01
test.each([
  ["the server's message", { message: 'User already exists.' }, 'User already exists.'],
  ['Registration failed', {}, 'Registration failed'],
])('a rejected registration shows %s and sends nothing else', async (_what, body, message) => {
  const view = openRegister()
  view.office.fail(signUp, 422, body)
  await submit(view)
  expect(await screen.findByText(message)).toBeInTheDocument()
  await waitFor(async () => expect(await button()).toBeEnabled())
  expect(screen.queryByText('Account created successfully')).toBeNull()
  expect(view.path()).toBe('/register')
  expect(view.office.requests(setRole)).toHaveLength(0)
})

// S8.register.02
test.each([
  ['answers no data', () => HttpResponse.json({})],
  ['answers data that is null', () => HttpResponse.json({ data: null })],
])('a role update that %s fails with Error updating user role', async (_what, answer) => {
  const view = openRegister()
  server.use(http.put('*/api/users/reception-user', answer))
  await submit(view)
  expect(await screen.findByText('Error updating user role')).toBeInTheDocument()
  expect(screen.queryByText('Account created successfully')).toBeNull()
  expect(view.office.requests(list)).toHaveLength(0)
})

// S8.register.03
test.each([
  ['an error without a message', new Error('')],
  ['something that is no error', undefined],
])('%s shows Unknown Register Error', async (_what, raised) => {
  const view = openRegister()
  vi.spyOn(authClient, 'signUp').mockImplementation(() => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- what is thrown is what is tested
    throw raised
  })
  await submit(view)
  expect(await screen.findByText('Unknown Register Error')).toBeInTheDocument()
})

// S4.auth.13
test('a role update without a session opens /login with one message', async () => {
  const view = openRegister()
  view.office.fail(setRole, 401)
  await submit(view)
  await waitFor(() => expect(view.path()).toBe('/login'))
  expect(await screen.findAllByText('Unauthorized access')).toHaveLength(1)
})

test('an address is sent without the spaces around it', async () => {
  const view = openRegister()
  await submit(view, { email: ' rekha@lekha.example  ' })
  await waitFor(() => expect(view.office.requests(signUp)).toHaveLength(1))
  expect(view.office.requests(signUp)[0]?.body).toMatchObject({ email: 'rekha@lekha.example' })
})

test('a rejected field is marked with the sentence, and no text of the validator is shown', async () => {
  const view = openRegister()
  server.use(
    http.post('*/api/auth/sign-up/email', () =>
      HttpResponse.json(
        {
          code: 'VALIDATION_ERROR',
          message: '[body.email] Invalid email address',
          error: 'Please enter a valid email address',
          fields: { email: 'Please enter a valid email address' },
          field_codes: { email: 'invalid_email' },
        },
        { status: 400 },
      ),
    ),
  )
  await submit(view, { email: 'rekha' })
  await waitFor(() => expect(screen.getByLabelText('Email')).toBeInvalid())
  expect(screen.getAllByText('Please enter a valid email address')).not.toHaveLength(0)
  expect(document.body).not.toHaveTextContent('[body')
})
