import { expect, test } from 'vitest'
import type { Stage } from '@/api/types'
import { mine, placeOf, queueOf, userOf, visitOf } from '@/test/fixtures'
import { actionsFor, subjectOf, subjectOfPlace, type Actor } from './actions'

const today = '2026-11-20'
const at = (stage: Stage, more: Parameters<typeof visitOf>[1] = {}) =>
  subjectOf(visitOf(1, { ...mine, queue: queueOf(stage), ...more }), today)
/** The menu without the papers and the consents, which are handled at every stage. */
const menu = (stage: Stage, by: Actor, more = {}) =>
  actionsFor(at(stage, more), by)
    .filter((action) => action !== 'papers' && action !== 'consents')
    .join(' ')

const [reception, pa, consultant] = [userOf('reception'), userOf('pa'), userOf('consultant')]

test.each<[Stage, string]>([
  ['new', 'prioritise correct link leave cancel'],
  ['waiting', 'hold prioritise correct link leave cancel'],
  ['called', 'recall miss release hold correct link leave'],
  ['held', 'resume correct link leave cancel'],
  ['missed', 'back correct link leave cancel'],
  ['in-session', 'hold correct link'],
  ['completed', ''],
  ['denied', ''],
  ['left', 'reopen'],
  ['no-show', 'reopen'],
  ['cancelled', 'reopen'],
])('reception may do this to a visit that is %s: %s', (stage, actions) => {
  expect(menu(stage, reception)).toBe(actions)
})

test.each<[Stage, string]>([
  ['waiting', 'call hold pin move prioritise transfer correct leave cancel'],
  ['called', 'recall miss release hold transfer correct leave'],
  ['held', 'call resume transfer correct leave cancel'],
  ['completed', 'reopen'],
])('a PA may do this to a visit that is %s: %s', (stage, actions) => {
  expect(menu(stage, pa)).toBe(actions)
})

test.each<[Stage, string]>([
  ['called', 'start recall miss release hold transfer leave'],
  ['missed', 'start call back transfer leave'],
  ['in-session', 'hold transfer'],
  ['completed', 'reopen'],
])('a consultant may do this to an own visit that is %s: %s', (stage, actions) => {
  expect(menu(stage, consultant)).toBe(actions)
})

test.each<Stage>(['new', 'waiting', 'in-session', 'completed', 'denied', 'left', 'cancelled'])(
  'the papers of a visit that is %s are handled by the desk and its consultant',
  (stage) => {
    for (const by of [reception, pa, consultant]) expect(actionsFor(at(stage), by)).toContain('papers')
    expect(actionsFor(at(stage), { ...consultant, id: 'another' })).not.toContain('papers')
  },
)

test('consents are noted at every stage, by the desk alone', () => {
  for (const stage of ['new', 'in-session', 'denied'] as const) {
    for (const by of [reception, pa]) expect(actionsFor(at(stage), by)).toContain('consents')
    expect(actionsFor(at(stage), consultant)).not.toContain('consents')
  }
})

test("a consultant does nothing to another's visit", () => {
  expect(menu('called', { ...consultant, id: 'another' })).toBe('')
})

test.each<[string, object]>([
  ['of a colleague', { queue: queueOf('waiting', { registeredByCaller: false }) }],
  ['of an earlier day', { day: '2026-11-19' }],
])('reception neither corrects nor cancels a visit %s', (_, more) => {
  expect(actionsFor(at('waiting', more), reception)).not.toContain('correct')
  expect(actionsFor(at('waiting', more), reception)).not.toContain('cancel')
  expect(actionsFor(at('waiting', more), pa)).toEqual(expect.arrayContaining(['correct', 'cancel']))
})

test('only a pinned visitor is unpinned, and lists have what ended today, which is opened again', () => {
  expect(actionsFor(at('waiting', { queue: queueOf('waiting', { pinned: true }) }), pa)).toContain('unpin')
  expect(actionsFor(at('left', { day: '2026-11-19' }), reception)).toContain('reopen')
  expect(actionsFor(at('completed', { day: '2026-11-19' }), reception)).not.toContain('reopen')
  expect(actionsFor(at('completed', { day: '2026-11-19' }), consultant)).toContain('reopen')
})

test('who waits since an earlier day can be put back today', () => {
  expect(actionsFor(at('waiting'), pa)).not.toContain('resume')
  expect(actionsFor(at('waiting', { day: '2026-11-19' }), pa)).toContain('resume')
})

test('a change is undone while the server offers it', () => {
  const undo = { action: 'miss' as const, until: '2026-11-20T05:30:30.000Z', by: 'Divya' }
  expect(actionsFor(at('missed', { queue: queueOf('missed', { undo }) }), reception)).toContain('undo')
})

test('a consultant only calls a visitor of the common line, whose visit is not known before', () => {
  const subject = subjectOfPlace(placeOf(1, 7), [])
  expect(actionsFor(subject, consultant)).toEqual(['call'])
})
