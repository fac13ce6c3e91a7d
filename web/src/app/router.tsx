import type { FunctionComponent } from 'react'
import type { RouteObject } from 'react-router'
import { chunk } from '@/chunk'
import { locale } from '@/messages'
import { loadAntdLocale, loadDayjsLocale } from './library-locales'
import { styled } from './styled'

/**
 * A screen in its own chunk. On first use, the chunk loads with the given parts of Ant Design: styles and texts.
 */
const screen = (load: () => Promise<FunctionComponent>, ...parts: ('entry' | 'desk')[]) =>
  chunk(async () => {
    const [shown] = await Promise.all([
      load(),
      ...parts.map(styled),
      ...(parts.includes('entry') ? [loadAntdLocale()] : []),
      ...(parts.includes('desk') ? [loadDayjsLocale()] : []),
    ])
    return shown
  })

/** Each screen is a chunk; the landing page loads nothing of the staff area. */
export const routes: RouteObject[] = [
  { path: '/', Component: screen(async () => (await import('@/screens/landing/landing')).Landing) },
  {
    Component: screen(async () => (await import('./providers')).Providers, 'entry'),
    children: [
      { path: 'login', Component: screen(async () => (await import('@/screens/login/login')).Login) },
      {
        path: 'register',
        Component: screen(async () => (await import('@/screens/register/register')).Register, 'desk'),
      },
      {
        path: 'forgot-password',
        Component: screen(
          async () => (await import('@/screens/forgot-password/forgot-password')).ForgotPassword,
        ),
      },
      {
        path: 'reset-password',
        Component: screen(
          async () => (await import('@/screens/reset-password/reset-password')).ResetPassword,
        ),
      },
      {
        path: 'stop-email-change',
        Component: screen(
          async () => (await import('@/screens/stop-email-change/stop-email-change')).StopEmailChange,
        ),
      },
      { path: 'debug', Component: screen(async () => (await import('./debug')).DebugScreen, 'desk') },
      {
        path: 'dashboard',
        Component: screen(async () => {
          if (locale !== 'en') await (await import('@/staff-texts')).loadStaffTexts()
          return (await import('./dashboard')).Dashboard
        }, 'desk'),
        children: [
          {
            index: true,
            Component: screen(async () => (await import('@/screens/dashboard/loading')).LoadingDashboard),
          },
          {
            path: 'receptionist',
            Component: screen(async () => (await import('@/screens/receptionist/receptionist')).Receptionist),
          },
          { path: 'pa', Component: screen(async () => (await import('@/screens/pa/pa')).Pa) },
          {
            path: 'consultant',
            Component: screen(async () => (await import('@/screens/consultant/consultant')).Consultant),
          },
          {
            path: 'admin/consultants/:id',
            Component: screen(async () => (await import('@/screens/admin/figures-page')).ConsultantPage),
          },
          {
            path: 'admin/services/:id',
            Component: screen(async () => (await import('@/screens/admin/figures-page')).ServicePage),
          },
          {
            path: 'admin',
            Component: screen(async () => {
              if (locale !== 'en') await (await import('@/staff-texts')).loadAdminTexts()
              return (await import('@/screens/admin/admin')).Admin
            }),
          },
        ],
      },
      { path: '*', Component: screen(async () => (await import('@/screens/not-found/not-found')).NotFound) },
    ],
  },
]
