import type { components } from '@/api/directory'
import { appointmentFields, type AppointmentErrors, type AppointmentForm } from './rules'

type Schemas = components['schemas']
export type Appointment = Schemas['Appointment']
type Payload = Schemas['RequestAppointment']

/** A rejected request: the server's message, if any, and its errors by field. */
export type Refusal = { reason: string | undefined; fields: AppointmentErrors }
export type Outcome = { ok: true; appointment: Appointment } | { ok: false; refusal: Refusal }

export type AppointmentMode = Schemas['OfficeFeatures']['appointments']

const unanswered = { ok: false, refusal: { reason: undefined, fields: {} } } satisfies Outcome
const timeoutMs = 10_000
const simulatedDelayMs = 500

/** Sends the request to the office, or simulates it where the page is hosted without a backend. */
export function requestAppointment(form: AppointmentForm, mode: AppointmentMode): Promise<Outcome> {
  return mode === 'simulated' ? simulate(payloadOf(form)) : post(payloadOf(form))
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
    if (!response.ok) return { ok: false, refusal: await refusalOf(response) }
    const { appointment } = (await response.json()) as Partial<Schemas['AppointmentAnswer']>
    return appointment ? { ok: true, appointment } : unanswered
  } catch {
    return unanswered
  }
}

async function refusalOf(response: Response): Promise<Refusal> {
  try {
    const { error, fields = {} } = (await response.json()) as Schemas['Error']
    return { reason: error, fields: knownFields(fields) }
  } catch {
    return unanswered.refusal
  }
}

function knownFields(fields: Record<string, string>): AppointmentErrors {
  return Object.fromEntries(
    Object.entries(fields).filter(([field]) => appointmentFields.some((it) => it === field)),
  )
}
