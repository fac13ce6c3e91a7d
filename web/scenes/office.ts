import { adminPlaces } from '../e2e/admin-places'
import { listed, request } from './reception'
import { answer, fail, ready, shows, type Screen } from './scene'

const requests = '**/api/appointments?*'
const sent = '**/api/lobby/messages'

const channel = (name: string, failed: number) => ({
  channel: name,
  sent: 240,
  failed,
  unknown: 1,
  dropped: 3,
  waiting: 0,
  visits: 180,
  paused: failed > 0,
})

const cost = (period: string, count: number) => ({ period, channel: 'sms', sent: count, paise: 18 * count })

const channels = {
  on: true,
  channels: [channel('sms', 2), channel('whatsapp', 0)],
  costs: { months: [cost('2026-11', 4_120)], days: [cost('2026-11-25', 240), cost('2026-11-24', 196)] },
}

/** The pages of Office without scenes of their own. */
export const officePages: Screen = {
  name: 'admin-office',
  role: 'admin',
  scenes: {
    appointments: async (page) => {
      await answer(
        page,
        requests,
        listed(request(0, 'pending'), request(1, 'pending'), request(2, 'confirmed')),
      )
      await ready(page, `${adminPlaces.appointments}&view=requests`)
      return shows(page, 'Leela Nair')
    },
    'appointments-error': async (page) => {
      await fail(page, requests)
      await page.goto(`${adminPlaces.appointments}&view=requests`)
      return shows(page, 'Failed to load appointments')
    },
    messages: async (page) => {
      await answer(page, sent, channels)
      await ready(page, adminPlaces.messages)
      return shows(page, 'Cost of messages')
    },
  },
}
