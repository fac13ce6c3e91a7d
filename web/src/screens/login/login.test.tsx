import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test, vi } from 'vitest'
import { authClient } from '@/features/auth/auth-client'
import { loadAnew } from '@/load-anew'
import { keys, tabKeys } from '@/storage'
import { userOf } from '@/test/fixtures'
import { openOffice } from '@/test/office'
import { renderApp } from '@/test/render-app'
import { server } from '@/test/server'

vi.mock('@/load-anew')

// A failed sign-in is logged to the console. Some tests check what is logged.
beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue())

const signInCall = 'POST /api/auth/sign-in/email'

function openLogin() {
  const office = openOffice({ user: null })
  office.answer(signInCall, () => {
    office.state.user = userOf('pa')
    return {}
  })
  return { office, ...renderApp('/login') }
}

type View = ReturnType<typeof openLogin>

const button = () => screen.findByRole('button', { name: /^(Sign In|Loading\.\.\.)$/ })

async function submit({ person }: View, email = 'Rekha@Lekha.example', password = 'secret') {
  const field = await screen.findByLabelText('Email')
  await person.clear(field)
  if (email) await person.type(field, email)
  await person.clear(screen.getByLabelText('Password'))
  if (password) await person.type(screen.getByLabelText('Password'), password)
  await person.click(await button())
}

// S2.route.02, S2.login.01-07, S4.signin.01
test('the form is idle under its title', async () => {
  openLogin()
  expect(await screen.findByRole('heading', { name: 'Welcome back' })).toBeVisible()
  expect(screen.getByText('Enter your credentials to continue')).toBeVisible()
  expect(screen.getByLabelText('Email')).toHaveAttribute('placeholder', 'Enter your email')
  expect(screen.getByLabelText('Password')).toHaveAttribute('placeholder', 'Enter your password')
  expect(await button()).toBeEnabled()
  expect(await button()).toHaveTextContent(/^Sign In$/)
  expect(await button()).toHaveAttribute('type', 'submit')
})

// S2.login.10-11
test('a link opens the register screen', async () => {
  const { person, path } = openLogin()
  await person.click(await screen.findByRole('button', { name: "Don't have an account? Sign up" }))
  await waitFor(() => expect(path()).toBe('/register'))
})

// S5.signin.01-02, S5.signin.04-07
test.each([
  ['an empty email', '', 'secret', 'Email is required'],
  ['a word that is no address', 'rekha', 'secret', 'Please enter a valid email address'],
  ['an address without a domain', 'rekha@lekha', 'secret', 'Please enter a valid email address'],
  ['an empty password', 'a@b.in', '', 'Password is required'],
  ['five characters', 'a@b.in', '12345', 'Password must be at least 6 characters'],
])('%s is rejected under its field and nothing is sent', async (_what, email, password, sentence) => {
  const view = openLogin()
  await submit(view, email, password)
  const field = screen.getByLabelText(sentence.includes('assword') ? 'Password' : 'Email')
  await waitFor(() => expect(field).toHaveAccessibleDescription(sentence))
  expect(screen.getByText(sentence)).toHaveClass('ant-form-item-explain-error')
  expect(view.office.requests(signInCall)).toHaveLength(0)
})

// S5.signin.03, S5.signin.05
test('an address in capitals and a password of six characters are valid', async () => {
  const view = openLogin()
  await submit(view, 'REKHA@LEKHA.EXAMPLE', '123456')
  await waitFor(() => expect(view.office.requests(signInCall)).toHaveLength(1))
})

// S2.login.08-09, S7.auth.06-08
test("a sign-in sends the form's values once and shows that it is loading", async () => {
  const view = openLogin()
  const release = view.office.hold(signInCall)
  await submit(view)
  expect(await button()).toHaveTextContent('Loading...')
  expect(await button()).toBeDisabled()
  await view.person.type(screen.getByLabelText('Password'), '{Enter}')
  await view.person.click(await button())
  release()
  await waitFor(() => expect(loadAnew).toHaveBeenCalled())
  expect(view.office.requests(signInCall).map(({ body }) => body)).toEqual([
    { email: 'Rekha@Lekha.example', password: 'secret', callbackURL: '/dashboard', rememberMe: true },
  ])
})

// S2.login.12, S2.login.14, S2.route.17, S8.toast.01
test('a success shows a toast and loads /dashboard', async () => {
  await submit(openLogin())
  await waitFor(() => expect(loadAnew).toHaveBeenCalledExactlyOnceWith('/dashboard'))
  expect(await screen.findByText('Logged in successfully')).toBeInTheDocument()
  expect(console.error).not.toHaveBeenCalled()
})

test('the toast is shown once more after the load', async () => {
  const view = openLogin()
  await submit(view)
  await waitFor(() => expect(loadAnew).toHaveBeenCalled())
  view.unmount()
  renderApp('/dashboard/pa')
  expect(await screen.findByText('Logged in successfully')).toBeInTheDocument()
  expect(sessionStorage.getItem(tabKeys.flash)).toBeNull()
})

// S3.storage.01-02, S4.auth.03
test('token and user of the new session are stored', async () => {
  const view = openLogin()
  localStorage.setItem(keys.token, 'token-of-yesterday')
  await submit(view)
  await waitFor(() => expect(localStorage.getItem('baari.token')).toBe('token-of-the-session'))
  await waitFor(() => expect(JSON.parse(localStorage.getItem('baari.user') ?? '')).toEqual(userOf('pa')))
  const bearer = view.office.requests(signInCall)[0]?.headers.get('Authorization')
  expect(bearer, 'a dead token would hide the cookie that the sign-in sets').toBeNull()
})

// S7.auth.09
test.each([
  ['any object', () => HttpResponse.json({ whatever: true })],
  ['null', () => HttpResponse.json(null)],
])("%s counts as success: the response's fields are not read", async (_what, answer) => {
  const view = openLogin()
  server.use(http.post('*/api/auth/sign-in/email', answer))
  await submit(view)
  expect(await screen.findByText('Logged in successfully')).toBeInTheDocument()
})

// S4.signin.02, S8.signin.01, S8.signin.03
test("a rejected sign-in shows and logs the server's message, and the form is idle again", async () => {
  const view = openLogin()
  view.office.fail(signInCall, 401, { message: 'Invalid email or password', code: 'X' })
  await submit(view)
  const toast = await screen.findByText('Invalid email or password')
  expect(toast.closest('.ant-message-error')).toBeInTheDocument()
  expect(console.error).toHaveBeenCalledWith(
    expect.objectContaining({ message: 'Invalid email or password' }),
  )
  await waitFor(async () => expect(await button()).toBeEnabled())
  expect(await button()).toHaveTextContent(/^Sign In$/)
  expect(view.path()).toBe('/login')

  view.office.mend(signInCall)
  await submit(view)
  await waitFor(() => expect(loadAnew).toHaveBeenCalled())
})

// S8.signin.04
test('a rejected sign-in without a message shows Login failed', async () => {
  const view = openLogin()
  view.office.fail(signInCall, 500, {})
  await submit(view)
  expect(await screen.findByText('Login failed')).toBeInTheDocument()
})

// S4.signin.03, S8.signin.02
test.each([
  ['an error without a message', new Error('')],
  ['something that is no error', undefined],
  ['a text', 'broken'],
])('%s shows Unknown Login Error and enables the form', async (_what, raised) => {
  const view = openLogin()
  vi.spyOn(authClient, 'signIn').mockImplementation(() => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- what is thrown is what is tested
    throw raised
  })
  await submit(view)
  expect(await screen.findByText('Unknown Login Error')).toBeInTheDocument()
  await waitFor(async () => expect(await button()).toBeEnabled())
})

// S4.signin.03
test('a network failure enables the form', async () => {
  const view = openLogin()
  server.use(http.post('*/api/auth/sign-in/email', () => HttpResponse.error()))
  await submit(view)
  expect(await screen.findByText(/fetch/i)).toBeInTheDocument()
  await waitFor(async () => expect(await button()).toBeEnabled())
})
