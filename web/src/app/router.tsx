import { createBrowserRouter, type RouteObject } from 'react-router'

export const routes: RouteObject[] = [
  {
    HydrateFallback: () => null,
    children: [
      { path: '/', lazy: async () => ({ Component: (await import('@/screens/landing/landing')).Landing }) },
      {
        path: '*',
        lazy: async () => ({ Component: (await import('@/screens/not-found/not-found')).NotFound }),
      },
    ],
  },
]

export const router = createBrowserRouter(routes)
