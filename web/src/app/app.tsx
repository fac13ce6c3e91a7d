import { Suspense } from 'react'
import { BrowserRouter, useRoutes } from 'react-router'
import { routes } from './router'

/** The application at the browser's address. A plain router: no route loads data, and the landing page pays for every byte. */
export function App() {
  return (
    <BrowserRouter>
      <Suspense fallback={null}>
        <Screen />
      </Suspense>
    </BrowserRouter>
  )
}

function Screen() {
  return useRoutes(routes)
}
