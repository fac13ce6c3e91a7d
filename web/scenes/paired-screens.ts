import { adminPlaces } from '../e2e/admin-places'
import { answer, dialog, fail, hold, loading, press, ready, shows, type Screen } from './scene'

const at = adminPlaces.waitingRoom
const devices = '**/api/devices'

const now = new Date().toISOString()
const anHourAgo = new Date(Date.now() - 3_600_000).toISOString()
const device = {
  id: '01890a5d-ac96-774b-bcce-b302099a8057',
  kind: 'display',
  name: 'Waiting room',
  series: null,
  volume: 80,
  quietFrom: '13:00',
  quietUntil: '14:30',
  voice: 'on',
  queue: 0,
  pairedAt: anHourAgo,
  lastSeenAt: now,
  revokedAt: null,
  createdAt: anHourAgo,
}
const all = [
  device,
  {
    ...device,
    id: '2',
    name: 'First floor',
    voice: 'blocked',
    lastSeenAt: anHourAgo,
    quietFrom: null,
    quietUntil: null,
  },
  { ...device, id: '3', name: 'Entrance', pairedAt: null, lastSeenAt: null, voice: null },
  { ...device, id: '4', name: 'Old screen', revokedAt: anHourAgo },
]

const withScreens = (page: Parameters<typeof ready>[0]) => answer(page, devices, { devices: all })

/** The page of Office with the screens of the waiting room. */
export const pairedScreens: Screen = {
  name: 'admin-screens',
  role: 'admin',
  scenes: {
    screens: async (page) => {
      await withScreens(page)
      await ready(page, at)
      return page.getByRole('group', { name: 'Screens' })
    },
    empty: async (page) => {
      await answer(page, devices, { devices: [] })
      await ready(page, at)
      return shows(page, 'No screen is paired yet')
    },
    loading: async (page) => {
      await hold(page, devices)
      await page.goto(at)
      return loading(page)
    },
    error: async (page) => {
      await fail(page, devices)
      await page.goto(at)
      return shows(page, 'Failed to load the screens')
    },
    added: async (page) => {
      await withScreens(page)
      await ready(page, at)
      await press(page, 'Add screen')
      return dialog(page)
    },
    edited: async (page) => {
      await withScreens(page)
      await ready(page, at)
      await press(page, 'Edit Waiting room')
      return dialog(page)
    },
  },
}
