import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Suspense } from 'react'
import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { beforeAll } from 'vitest'
import { routes } from '@/app/router'
import { ThemeModeProvider } from '@/theme/theme-mode'

// The first import of the component library takes many seconds on a busy machine. It must not use up the time for which
// a test waits for a screen.
beforeAll(() => import('@/app/providers'), 60_000)

/** Renders the whole application at an address, with a user-event session. */
export function renderApp(path: string) {
  const router = createMemoryRouter(routes, { initialEntries: [path] })
  const person = userEvent.setup({ delay: null })
  const view = render(
    <ThemeModeProvider>
      <Suspense fallback={null}>
        <RouterProvider router={router} />
      </Suspense>
    </ThemeModeProvider>,
  )
  return { ...view, person, router, path: () => router.state.location.pathname }
}
