import { Suspense, useLayoutEffect } from 'react'
import { BrowserRouter, useRoutes } from 'react-router'
import { routes } from './router'

/** The application at the browser's address. A plain router: no route loads data, and the landing page pays for every byte. */
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

/** The screen is drawn: what the server sent in its place goes, in the same frame. */
function ShellEnds() {
  useLayoutEffect(() => document.getElementById('shell')?.remove(), [])
  return null
}
