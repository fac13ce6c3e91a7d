import { expect, test } from 'vitest'
import { stepOf } from './visit-steps'

test('a record becomes a step with its facts and the notes of its stage', () => {
  const created = { serviceName: 'ITR Filing', receptionNotes: 'Two Form 16s', waitMinutes: null }
  expect(stepOf({ action: 'created', newValues: created })).toEqual({
    title: 'Registered',
    service: 'ITR Filing',
    facts: [],
    notes: 'Two Form 16s',
  })
  expect(stepOf({ action: 'started', newValues: { waitMinutes: 14, override: true } })).toEqual({
    title: 'Session started',
    service: '',
    facts: ['After waiting 14 min', 'By an admin on behalf of the consultant'],
    notes: '',
  })
})

test('an erased visit and an unknown action still have a title', () => {
  expect(stepOf({ action: 'erased', newValues: null })).toEqual({
    title: 'Erased',
    service: '',
    facts: [],
    notes: '',
  })
  expect(stepOf({ action: 'sent', newValues: null }).title).toBe('sent')
})
