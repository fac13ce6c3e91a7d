import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openOffice } from '@/test/office'
import { renderApp } from '@/test/render-app'

// S2.route.15-16
test.each(['/pricing', '/login/help', '/a/b/c'])(
  '%s shows Page Under Construction with a link home',
  async (address) => {
    openOffice({ user: null })
    const { person, path } = renderApp(address)
    expect(await screen.findByRole('heading', { name: 'Page Under Construction' })).toBeVisible()
    await person.click(screen.getByRole('button', { name: 'Go Back Home' }))
    await waitFor(() => expect(path()).toBe('/'))
  },
)
