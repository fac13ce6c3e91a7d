import { afterEach, expect, expectTypeOf, test, vi } from 'vitest'
import { messages } from '@/messages'
import { translationIn } from '@/test/catalogues'
import type { components as Audit } from './audit'
import type { components as Auth } from './auth'
import type { components as Directory } from './directory'
import { wordedProblem } from './problem'
import type { components as Realtime } from './realtime'
import type { components as Visits } from './visits'

type Documents = Audit | Auth | Directory | Realtime | Visits
type Code = Documents['schemas']['ErrorCode'] | Auth['schemas']['AuthErrorCode']
type FieldCode = Documents['schemas']['FieldCode']

type AppointmentStatus = Directory['schemas']['AppointmentStatus']
type Problems = (typeof messages)['problems']

/** The codes that have another text if they are about a consultant who is not the user. */
const ofConsultants = ['call_open', 'session_active', 'not_assigned'] as const
type OfConsultants = (typeof ofConsultants)[number]

test('every code of the API documents has a text, and no other', () => {
  expectTypeOf<OfConsultants>().toExtend<Code>()
  expectTypeOf<keyof Problems['codes']>().toEqualTypeOf<Code | `${OfConsultants}_of`>()
  expectTypeOf<keyof Problems['fieldCodes']>().toEqualTypeOf<FieldCode>()
})

test('every status and stage has a word', () => {
  type Statuses = Visits['schemas']['VisitStatus'] | Visits['schemas']['Stage'] | AppointmentStatus
  expectTypeOf<keyof Problems['words']>().toEqualTypeOf<Statuses>()
  for (const [name, word] of Object.entries(messages.problems.words)) expect(word).toBe(name)
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

test('in another language, statuses are translated and no sentence is left in English', async () => {
  const problems = {
    ...messages.problems,
    codes: { ...messages.problems.codes, illegal_transition: '{to} नहीं, {from} है' },
    words: { ...messages.problems.words, denied: 'अस्वीकृत', approved: 'स्वीकृत' },
    unworded: 'कृपया जाँचें',
    unreached: 'सर्वर नहीं मिला',
  }
  vi.stubGlobal('translation', { language: 'hi', messages: { ...messages, problems } })
  vi.resetModules()
  const [translated, { messageOfFailure }] = await Promise.all([import('./problem'), import('./fault')])
  const body = { error: 'x', code: 'illegal_transition', params: { from: 'denied', to: 'approved' } }
  expect(translated.wordedProblem(body).sentence).toBe('स्वीकृत नहीं, अस्वीकृत है')
  const invalid = { message: '[body.name] Required', code: 'VALIDATION_ERROR' }
  expect(translated.wordedProblem(invalid).sentence).toBe('कृपया जाँचें')
  for (const body of [{ message: 'Email is the same' }, { error: 'The moon is full.', code: 'full_moon' }]) {
    expect(translated.wordedProblem(body).sentence).toBe('कृपया जाँचें')
  }
  const often = { message: 'Too many requests. Please try again later.' }
  expect(translated.wordedProblem(often, 429).sentence).toBe(messages.problems.codes.rate_limited)
  expect(translated.wordedProblem({}).sentence).toBeUndefined()
  expect(messageOfFailure(new TypeError('Failed to fetch'))).toBe('सर्वर नहीं मिला')
})

test('a known code is worded from the catalogue with the values of the problem', () => {
  const body = { error: 'x', code: 'illegal_transition', params: { from: 'denied', to: 'approved' } }
  expect(wordedProblem(body)).toEqual({
    code: 'illegal_transition',
    sentence: 'Cannot change status from denied to approved',
    fields: {},
  })
})

const [you, imran] = [{ token: 'T-010' }, { token: 'T-010', consultant: 'Imran Sheikh' }]

test.each([
  ['call_open', you, 'You have called T-010.'],
  ['call_open', imran, 'Imran Sheikh has called T-010.'],
  ['session_active', {}, 'You already have an active session'],
  ['session_active', imran, 'Imran Sheikh already has an active session'],
  ['not_assigned', {}, 'This visitor is assigned to another consultant.'],
  ['not_assigned', imran, "This desk is another consultant's."],
  ['next_changed', imran, 'T-010 is next now.'],
  ['too_soon', { seconds: 7 }, 'The last call was just now. Please wait 7 s.'],
])('%s speaks to the user, or of the consultant whom it names: %j', (code, params, sentence) => {
  expect(wordedProblem({ error: 'x', code, params }).sentence).toBe(sentence)
})

test.each(['hi', 'kn', 'mr', 'ta', 'te'] as const)(
  'in %s no such text says "you" of a colleague',
  async (language) => {
    vi.stubGlobal('translation', translationIn(language))
    vi.resetModules()
    const translated = await import('./problem')
    for (const code of ofConsultants) {
      const [own, other] = [you, imran].map(
        (params) => translated.wordedProblem({ error: 'x', code, params }).sentence,
      )
      expect(own).toMatch(code === 'call_open' ? /T-010/ : /./)
      expect(other).not.toBe(own)
      expect(other).toMatch(code === 'not_assigned' ? /./ : /Imran Sheikh/)
    }
  },
)

test.each([
  ['an unknown code', { error: 'The moon is full.', code: 'full_moon' }, 'The moon is full.'],
  [
    'a known code without its values',
    { error: 'It is decided', code: 'visit_already_decided' },
    'It is decided',
  ],
  ['no code', { message: 'Email is the same', error: 'Email is the same' }, 'Email is the same'],
  [
    'a code with several sentences',
    { message: '[body.name] Required', code: 'VALIDATION_ERROR' },
    '[body.name] Required',
  ],
])('%s leaves the English sentence of the service', (_case, body, sentence) => {
  expect(wordedProblem(body).sentence).toBe(sentence)
})

test.each([[undefined], [null], ['<p>Bad Gateway</p>'], [{}], [{ error: 5, code: 7, fields: 'x' }]])(
  'a body that is not a problem has no sentence: %j',
  (body) => {
    expect(wordedProblem(body)).toEqual({ code: undefined, sentence: undefined, fields: {} })
  },
)

test('invalid fields are worded one by one, and the sentence is that of the first', () => {
  const body = {
    error: 'name too long',
    code: 'validation',
    fields: { message: 'message too long', name: 'name too long', phone: 'no phone', shoe: 'Too big' },
    field_codes: { message: 'too_long', name: 'too_long', phone: 'invalid_phone', shoe: 'too_big' },
    field_params: { message: { max: 1000 }, name: { max: 80 } },
  }
  expect(wordedProblem(body)).toMatchObject({
    sentence: 'Please shorten the name to 80 characters',
    fields: {
      message: 'Please shorten the message to 1,000 characters',
      name: 'Please shorten the name to 80 characters',
      phone: 'Please enter a valid 10-digit phone number',
      shoe: 'Too big',
    },
  })
})
