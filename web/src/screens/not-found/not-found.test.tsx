import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openOffice } from '@/test/office'
import { renderApp } from '@/test/render-app'

test.each(['/pricing', '/login/help', '/a/b/c'])(
  '%s is under construction, with a way home (S2.route.15-16)',
  async (address) => {
    openOffice({ user: null })
    const { person, path } = renderApp(address)
    expect(await screen.findByRole('heading', { name: 'Page Under Construction' })).toBeVisible()
    await person.click(screen.getByRole('button', { name: 'Go Back Home' }))
    await waitFor(() => expect(path()).toBe('/'))
  },
)
