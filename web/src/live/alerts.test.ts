import { describe, expect, test } from 'vitest'
import type { LiveEvent } from '@/api/types'
import { alertOf } from './alerts'

const about = {
  visitId: 'v',
  version: 2,
  token: 'T-001',
  name: 'Asha',
  service: 'ITR Filing',
  assignedConsultant: 'CA Rao',
}
const events = {
  created: { type: 'visit_created', data: about },
  approved: { type: 'visit_approved', data: about },
  denied: { type: 'visit_denied', data: about },
  started: { type: 'visit_in_session', data: about },
  completed: { type: 'visit_completed', data: { ...about, duration: 20 } },
} satisfies Record<string, LiveEvent>

test.each([
  ['S8.live.01', events.created, 'pa', 'Token T-001 - Asha (ITR Filing)'],
  ['S8.live.02', events.approved, 'reception', 'Token T-001 approved for CA Rao'],
  ['S8.live.03', events.denied, 'reception', 'Token T-001 was denied'],
  ['S8.live.04', events.started, 'pa', 'Token T-001 session has started'],
  ['S8.live.05', events.completed, 'admin', 'Token T-001 session completed'],
] as const)('the text of the alert (%s)', (_item, event, role, words) => {
  expect(alertOf(event, role)?.text).toBe(words)
})

describe('roles that are alerted', () => {
  const alerted = (event: LiveEvent) =>
    ['reception', 'pa', 'consultant', 'admin'].filter((role) => alertOf(event, role) !== null)

  // S6.notify.01-02
  test('of new visits: pa and admin only', () => {
    expect(alerted(events.created)).toEqual(['pa', 'admin'])
  })
  // S6.notify.03-04
  test('of approvals: reception and consultant only', () => {
    expect(alerted(events.approved)).toEqual(['reception', 'consultant'])
  })
  // S6.notify.05-06
  test('of denials: reception only', () => {
    expect(alerted(events.denied)).toEqual(['reception'])
  })
  // S6.notify.07-10
  test('of started and completed sessions: reception, pa and admin, not the consultant', () => {
    expect(alerted(events.started)).toEqual(['reception', 'pa', 'admin'])
    expect(alerted(events.completed)).toEqual(['reception', 'pa', 'admin'])
  })
})

// S9.toast.01
test('an alert stays 5 s, those of sessions 3 s', () => {
  const seconds = Object.values(events).map(
    (event) => alertOf(event, 'reception')?.seconds ?? alertOf(event, 'pa')?.seconds,
  )
  expect(seconds).toEqual([5, 5, 5, 3, 3])
})

// S7.event.08
test('a notification has its own message and type', () => {
  const data = {
    notificationId: 'n',
    message: 'Printer is out of paper',
    type: 'warning',
    sender: 'Anand',
    createdAt: '',
  } as const
  expect(alertOf({ type: 'notification', data }, 'consultant')).toMatchObject({
    text: 'Printer is out of paper',
    detail: 'From Anand',
    kind: 'warning',
  })
})

test('a notification shows the role of its sender beside the name', () => {
  const data = {
    notificationId: 'n',
    message: 'Please sign in again',
    type: 'info',
    sender: 'Administrator',
    senderRole: 'reception',
    createdAt: '',
  } as const
  expect(alertOf({ type: 'notification', data }, 'pa')?.detail).toBe('From Administrator (Reception)')
})

// S7.event.01-02, S7.event.09
test('status updates, connections and heartbeats have no alert', () => {
  expect(alertOf({ type: 'status_update', data: { reset: true } }, 'admin')).toBeNull()
  expect(alertOf({ type: 'heartbeat', data: {} }, 'admin')).toBeNull()
  expect(
    alertOf(
      {
        type: 'connection',
        data: { connectionId: 'c', activeConnections: 3, resumed: false, heartbeatSeconds: 5 },
      },
      'admin',
    ),
  ).toBeNull()
})

// S3.event.01-03
test('an event with missing data does not throw', () => {
  const bare = { type: 'visit_denied', data: { token: 'T-002' } } as LiveEvent
  expect(alertOf(bare, 'reception')).toMatchObject({ text: 'Token T-002 was denied', detail: '' })
})

test('a service is named in the language of the page', () => {
  const named = (service: string) => `<${service}>`
  expect(alertOf(events.created, 'pa', named)?.text).toBe('Token T-001 - Asha (<ITR Filing>)')
  expect(alertOf(events.approved, 'reception', named)?.detail).toBe('<ITR Filing>')
  expect(alertOf(events.completed, 'pa', named)?.detail).toBe('Asha, <ITR Filing>')
})
