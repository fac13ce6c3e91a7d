import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { userOf } from '@/test/fixtures'
import { openOffice } from '@/test/office'
import { renderApp } from '@/test/render-app'

const pasted = 'a phrase of the password manager'

const forms: [path: string, label: string, filledBy: string][] = [
  ['/login', 'Password', 'current-password'],
  ['/register', 'Password', 'new-password'],
  ['/reset-password?token=token-of-the-mail', 'New password', 'new-password'],
]

test.each(forms)(
  'the field of %s hides %s, accepts pasted text and works with password managers',
  async (path, label, filledBy) => {
    openOffice({ user: null })
    const { person } = renderApp(path)
    const field = await screen.findByLabelText(label)
    // ASVS 6.2.6
    expect(field).toHaveAttribute('type', 'password')
    // ASVS 6.2.7
    expect(field).toHaveAttribute('autocomplete', filledBy)
    await person.click(field)
    await person.paste(pasted)
    expect(field).toHaveValue(pasted)
  },
)

test('the fields of a changed password do so as well', async () => {
  openOffice({ user: userOf('pa') })
  const { person } = renderApp('/dashboard/pa')
  await person.click(await screen.findByRole('button', { name: /Profile$/ }))
  await person.click(await screen.findByRole('button', { name: 'Account Settings' }))
  for (const [label, filledBy] of [
    ['Current password', 'current-password'],
    ['New password', 'new-password'],
  ] as const) {
    const field = await screen.findByLabelText(label)
    // ASVS 6.2.6, 6.2.7
    expect(field).toHaveAttribute('type', 'password')
    expect(field).toHaveAttribute('autocomplete', filledBy)
    await person.click(field)
    await person.paste(pasted)
    await waitFor(() => expect(field).toHaveValue(pasted))
  }
})
