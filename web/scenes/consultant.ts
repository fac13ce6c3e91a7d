import { answer, fail, hold, loading, loseConnection, press, ready, shows, type Screen } from './scene'

const at = '/dashboard/consultant'
const today = '**/api/visits/today'

export const consultant: Screen = {
  name: 'consultant',
  role: 'consultant',
  scenes: {
    desk: async (page) => {
      await ready(page, at)
      return page.getByRole('timer')
    },
    loading: async (page) => {
      await hold(page, today)
      await page.goto(at)
      return loading(page)
    },
    empty: async (page) => {
      await answer(page, today, { visits: [] })
      await ready(page, at)
      return shows(page, 'No visitors in queue')
    },
    idle: async (page) => {
      await page.route(today, async (route) => {
        const office = await route.fetch()
        const { visits } = (await office.json()) as { visits: { status: string }[] }
        await route.fulfill({ json: { visits: visits.filter((visit) => visit.status !== 'in-session') } })
      })
      await ready(page, at)
      return shows(page, 'No session in progress')
    },
    error: async (page) => {
      await fail(page, today)
      await page.goto(at)
      await shows(page, 'Failed to load consultant data')
      return page.getByRole('button', { name: 'Try again' })
    },
    'lost-connection': (page) => loseConnection(page, at),
    'draft-failing': async (page) => {
      await ready(page, at)
      await fail(page, '**/api/visits/*/draft')
      await page.getByLabel('Session Notes').fill('Form 26AS matches; revised return by 30 November.')
      return shows(page, /^Draft not saved yet/)
    },
    'earlier-error': async (page) => {
      await fail(page, '**/api/visits/*/earlier')
      await ready(page, at)
      return shows(page, 'Failed to load earlier visits')
    },
    completing: async (page) => {
      await hold(page, '**/api/visits/*/status')
      await ready(page, at)
      await press(page, 'Complete Session')
      return shows(page, 'Completing...')
    },
    failed: async (page) => {
      await fail(page, '**/api/visits/*/status')
      await ready(page, at)
      await press(page, 'Complete Session')
      return shows(page, 'Failed to complete session')
    },
  },
}
