import { Suspense, useLayoutEffect } from 'react'
import { BrowserRouter, useRoutes } from 'react-router'
import { routes } from './router'

/**
 * The application. It needs no data router, because no route loads data. A data router would also make the
 * first load of the landing page larger.
 */
export function App() {
  return (
    <BrowserRouter>
      <Suspense fallback={null}>
        <Screen />
        <ShellEnds />
      </Suspense>
    </BrowserRouter>
  )
}

function Screen() {
  return useRoutes(routes)
}

/** Removes the server-rendered shell in the frame that draws the screen. */
function ShellEnds() {
  useLayoutEffect(() => document.getElementById('shell')?.remove(), [])
  return null
}
