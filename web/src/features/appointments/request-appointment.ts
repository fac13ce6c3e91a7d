import type { components } from '@/api/directory'
import { wordedProblem } from '@/api/problem'
import { locale } from '@/messages'
import { appointmentFields, type AppointmentErrors, type AppointmentForm } from './rules'

type Schemas = components['schemas']
export type Appointment = Schemas['Appointment']
type Payload = Schemas['RequestAppointment']

/**
 * A rejected request: the server's sentence, if any, and one for each invalid field. If the time is full, its slots
 * have changed since they were read.
 */
export type Rejection = { reason: string | undefined; fields: AppointmentErrors; full: boolean }
export type Outcome = { ok: true; appointment: Appointment } | { ok: false; rejection: Rejection }

export type AppointmentMode = Schemas['OfficeFeatures']['appointments']

const unanswered = { ok: false, rejection: { reason: undefined, fields: {}, full: false } } satisfies Outcome
const timeoutMs = 10_000
const simulatedDelayMs = 500

/**
 * Sends the request to the office, or simulates it where the page is hosted without a backend. `texts` is whether the
 * visitor agrees to text messages. The office answers in the language of the page.
 */
export function requestAppointment(
  form: AppointmentForm,
  mode: AppointmentMode,
  texts = false,
): Promise<Outcome> {
  const payload = payloadOf(form)
  return mode === 'simulated' ? simulate(payload) : post({ ...payload, language: locale, messages: texts })
}

function payloadOf({ message, ...required }: AppointmentForm): Payload {
  return message.trim() === '' ? required : { ...required, message }
}

async function simulate(payload: Payload): Promise<Outcome> {
  await new Promise((resolve) => setTimeout(resolve, simulatedDelayMs))
  const appointment: Appointment = {
    message: '',
    ...payload,
    id: `simulated-${Date.now()}`,
    status: 'pending',
    createdAt: new Date().toISOString(),
  }
  return { ok: true, appointment }
}

async function post(payload: Payload): Promise<Outcome> {
  try {
    const response = await fetch('/api/appointments', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(payload),
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (!response.ok) return { ok: false, rejection: await rejectionOf(response) }
    const { appointment } = (await response.json()) as Partial<Schemas['AppointmentAnswer']>
    return appointment ? { ok: true, appointment } : unanswered
  } catch {
    return unanswered
  }
}

async function rejectionOf(response: Response): Promise<Rejection> {
  const body: unknown = await response.json().catch(() => undefined)
  const { code, sentence, fields } = wordedProblem(body)
  const full = code === 'slot_full'
  return { reason: sentence, fields: full ? { preferredTime: sentence ?? '' } : knownFields(fields), full }
}

function knownFields(fields: Record<string, string>): AppointmentErrors {
  return Object.fromEntries(
    Object.entries(fields).filter(([field]) => appointmentFields.some((it) => it === field)),
  )
}
