import { createBrowserRouter, type RouteObject } from 'react-router'

/** Each screen is a file of its own; the landing page loads nothing of the staff area. */
export const routes: RouteObject[] = [
  {
    HydrateFallback: () => null,
    children: [
      { path: '/', lazy: async () => ({ Component: (await import('@/screens/landing/landing')).Landing }) },
      {
        lazy: async () => ({ Component: (await import('./providers')).Providers }),
        children: [
          { path: 'login', lazy: async () => ({ Component: (await import('@/screens/login/login')).Login }) },
          {
            path: 'register',
            lazy: async () => ({ Component: (await import('@/screens/register/register')).Register }),
          },
          {
            path: 'forgot-password',
            lazy: async () => ({
              Component: (await import('@/screens/forgot-password/forgot-password')).ForgotPassword,
            }),
          },
          {
            path: 'reset-password',
            lazy: async () => ({
              Component: (await import('@/screens/reset-password/reset-password')).ResetPassword,
            }),
          },
          {
            path: 'debug',
            lazy: async () => ({ Component: await (await import('./debug')).debugScreen() }),
          },
          {
            path: 'dashboard',
            lazy: async () => ({ Component: (await import('./dashboard')).Dashboard }),
            children: [
              {
                index: true,
                lazy: async () => ({
                  Component: (await import('@/screens/dashboard/loading')).LoadingDashboard,
                }),
              },
              {
                path: 'receptionist',
                lazy: async () => ({
                  Component: (await import('@/screens/receptionist/receptionist')).Receptionist,
                }),
              },
              { path: 'pa', lazy: async () => ({ Component: (await import('@/screens/pa/pa')).Pa }) },
              {
                path: 'consultant',
                lazy: async () => ({
                  Component: (await import('@/screens/consultant/consultant')).Consultant,
                }),
              },
              {
                path: 'admin',
                lazy: async () => ({ Component: (await import('@/screens/admin/admin')).Admin }),
              },
            ],
          },
          {
            path: '*',
            lazy: async () => ({ Component: (await import('@/screens/not-found/not-found')).NotFound }),
          },
        ],
      },
    ],
  },
]

export const router = createBrowserRouter(routes)
