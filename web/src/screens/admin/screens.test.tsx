import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { Device } from '@/api/types'
import { AddScreenDialog } from '@/features/screens/screen-dialogs'
import { openAdmin } from '@/test/open-admin'

const device = (more: Partial<Device> = {}): Device => ({
  id: 's1',
  kind: 'display',
  name: 'Waiting room',
  series: null,
  volume: 80,
  quietFrom: null,
  quietUntil: null,
  voice: 'on',
  queue: 0,
  pairedAt: new Date().toISOString(),
  lastSeenAt: new Date().toISOString(),
  revokedAt: null,
  createdAt: new Date().toISOString(),
  ...more,
})

const anHourAgo = new Date(Date.now() - 3_600_000).toISOString()

const kannada = {
  language: 'kn',
  version: 3,
  speaker: 'Asha Rao',
  recordedAt: anHourAgo,
  recordedBy: 'Meera',
}

function openScreens(devices: Device[]) {
  const opened = openAdmin('office&page=waiting-room')
  opened.office.answer('GET /api/devices', () => ({ devices }))
  opened.office.answer('GET /api/office/voice', () => ({ packs: [kannada] }))
  opened.office.answer('PUT /api/devices/s1', () => ({ device: device() }))
  return opened
}

test('screens and voices have skeletons while they load', async () => {
  const { office } = openAdmin('office&page=waiting-room')
  office.hold('GET /api/devices')
  office.hold('GET /api/office/voice')
  for (const name of ['Screens', 'Voice']) {
    const panel = await screen.findByRole('region', { name })
    expect(panel.querySelector('.skeleton'), name).not.toBeNull()
    expect(within(panel).getByRole('status')).toHaveTextContent(/^Loading/)
  }
})

test('a screen that is silent or has no voice stands out, a desk shows its series', async () => {
  openScreens([
    device({ quietFrom: '13:00', quietUntil: '14:30' }),
    device({ id: 's2', name: 'Hall', lastSeenAt: anHourAgo, voice: 'blocked' }),
    device({ id: 's3', name: 'New one', pairedAt: null, lastSeenAt: null, voice: null }),
    device({ id: 's4', name: 'Desk A', kind: 'desk', series: 'A' }),
    device({ id: 's5', name: 'Old one', revokedAt: anHourAgo }),
    device({ id: 's6', name: 'Desk B', kind: 'desk', series: 'B', lastSeenAt: anHourAgo }),
  ])
  const table = await screen.findByRole('group', { name: 'Screens' })
  const [, works, silent, fresh, desk, removed, silentDesk, ...more] = within(table).getAllByRole('row')
  const screenOf = (row: HTMLElement | undefined) => within(row ?? table)
  expect(more).toHaveLength(0)
  expect(works).toHaveTextContent('WorksLast seen')
  expect(works).toHaveTextContent('OnVolume 80 %, Quiet from 1:00 PM to 2:30 PM')
  expect(screenOf(silent).getByText('Silent').closest('.screen-alarm')).not.toBeNull()
  expect(silent).toHaveTextContent('Blocked: press the button on the screen once')
  expect(screenOf(works).getByText('Works').closest('.screen-alarm')).toBeNull()
  expect(fresh).toHaveTextContent('Not paired yet')
  expect(desk).toHaveTextContent('WorksLast seen')
  expect(desk).toHaveTextContent('Tokens A-001 without network')
  expect(silentDesk).toHaveTextContent('SilentLast seen')
  expect(removed).toHaveTextContent('Removed')
  expect(screenOf(removed).queryByRole('button')).toBeNull()
})

test('the pairing code is shown once, after the screen is added', async () => {
  const { office } = openScreens([])
  office.answer('POST /api/devices', () => ({ device: device(), pairing_code: 'K7M4-2QXD-9TRB' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Add screen' }))
  const dialog = await screen.findByRole('dialog', { name: 'Add a screen' })
  await userEvent.click(within(dialog).getByRole('button', { name: 'Add screen' }))
  expect(await within(dialog).findByText('Please enter a name')).toBeInTheDocument()
  await userEvent.type(within(dialog).getByLabelText('Name of the screen'), 'Waiting room')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Add screen' }))
  expect(await screen.findByText('K7M4-2QXD-9TRB')).toBeInTheDocument()
  expect(office.requests('POST /api/devices')[0]?.body).toEqual({ kind: 'display', name: 'Waiting room' })
  await userEvent.click(screen.getByRole('button', { name: 'Done' }))
  expect(screen.queryByText('K7M4-2QXD-9TRB')).not.toBeInTheDocument()
})

test.each([
  [true, 2],
  [false, 0],
])('the kind is asked for where desks may be paired: %s', async (desks, kinds) => {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <AddScreenDialog desks={desks} onClose={() => undefined} />
    </QueryClientProvider>,
  )
  const dialog = await screen.findByRole('dialog', { name: 'Add a screen' })
  expect(within(dialog).queryAllByRole('radio')).toHaveLength(kinds)
})

test('a screen is renamed with its quiet hours, both or none', async () => {
  const { office } = openScreens([device()])
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Waiting room' }))
  const dialog = await screen.findByRole('dialog', { name: 'Edit screen' })
  const name = within(dialog).getByLabelText('Name of the screen')
  await userEvent.clear(name)
  await userEvent.type(name, 'Hall')
  await userEvent.type(within(dialog).getByLabelText('Quiet from'), '13:00')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  expect(await within(dialog).findByText(/enter both as hours and minutes/)).toBeInTheDocument()
  await userEvent.type(within(dialog).getByLabelText('Quiet until'), '14:30')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Screen saved')).toBeInTheDocument()
  expect(office.requests('PUT /api/devices/s1')[0]?.body).toEqual({
    name: 'Hall',
    volume: 80,
    quietFrom: '13:00',
    quietUntil: '14:30',
  })
})

test('a screen is removed after a question', async () => {
  const { office } = openScreens([device()])
  await userEvent.click(await screen.findByRole('button', { name: 'Remove Waiting room' }))
  expect(office.requests('PUT /api/devices/s1')).toHaveLength(0)
  await userEvent.click(await screen.findByRole('button', { name: 'Remove' }))
  expect(await screen.findByText('Screen removed')).toBeInTheDocument()
  expect(office.requests('PUT /api/devices/s1')[0]?.body).toEqual({ revoked: true })
})

test('screens that cannot be loaded can be loaded again', async () => {
  const { office } = openScreens([])
  office.fail('GET /api/devices')
  expect(await screen.findByText('Failed to load the screens')).toBeInTheDocument()
})

test('the voices are listed, and a recording is deleted after a question', async () => {
  const { office } = openScreens([])
  office.answer('DELETE /api/office/voice/kn', () => ({}))
  const list = await screen.findByRole('group', { name: 'Voice' })
  const [, english, , spoken] = within(list).getAllByRole('row')
  expect(english).toHaveTextContent('EnglishShipped voiceMade by a program; a draft')
  expect(spoken).toHaveTextContent('ಕನ್ನಡRecorded by Asha Rao')
  expect(spoken).toHaveTextContent('saved by Meera')
  expect(within(list).getAllByRole('button', { name: /^Delete/ })).toHaveLength(1)
  await userEvent.click(within(list).getByRole('button', { name: 'Delete the recording of ಕನ್ನಡ' }))
  expect(office.requests('DELETE /api/office/voice/kn')).toHaveLength(0)
  await userEvent.click(await screen.findByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('Recording deleted')).toBeInTheDocument()
})
