// The queue's day for k6: reception registers visitors, PAs decide, consultants work, dashboards fetch their lists,
// administrators read and export. `baari bench queue` runs it beside open live streams, which k6 does not support, and
// then checks what was stored. By hand, against a running `baari up --no-limits`:
//
//   k6 run -e BAARI_URL=http://localhost:8080 -e BAARI_ACCOUNTS=$PWD/.baari/accounts.json \
//     -e PROFILE=ramp tools/measure/load/queue.js

import crypto from 'k6/crypto'
import exec from 'k6/execution'
import http from 'k6/http'
import { Counter, Rate, Trend } from 'k6/metrics'
import { planOf, scenario, steady, times, dueAt } from './profiles.js'
import { pageOf, textOf } from './report.js'

const base = __ENV.BAARI_URL || 'http://localhost:8080'
const accounts = JSON.parse(open(__ENV.BAARI_ACCOUNTS || '../../../.baari/accounts.json'))
const plan = planOf(__ENV.PROFILE || 'ramp', Number(__ENV.LASTING), Number(__ENV.RATE))

const dashboards = 4 // lists a second that all screens together fetch
const administrators = 1 // requests a second of all administrators together
const parts = 20 // of the time, for the charts

// Each visitor is registered, decided and, unless denied, called in. PAs and consultants work at a slightly higher rate
// than visitors arrive, so that the queues do not grow.
const plans = {
  reception: plan,
  pa: times(plan, 1.2),
  consultant: times(plan, 1.2),
  dashboard: steady(plan, dashboards),
  administrator: steady(plan, administrators),
}

// The calls, by the name of their figures.
const calls = [
  'lookup',
  'create',
  'pending',
  'decide',
  'own',
  'start',
  'complete',
  'today',
  'counts',
  'queues',
  'audit',
  'export',
  'settings',
  'holiday',
]

// answered is measured from the time at which the call was due, so it includes the wait for a free client.
const answered = new Trend('answered', true)
const failed = new Rate('failed') // no answer, or 5xx
const rejected = new Counter('rejected') // 409, 412: another client was faster
const wrong = new Counter('wrong') // any other 4xx: no scenario sends a forbidden request

export const options = {
  scenarios: Object.fromEntries(
    Object.entries(plans).map(([name, one]) => [
      name,
      scenario(one, name, name === 'administrator' ? 10 : 40),
    ]),
  ),
  thresholds: thresholds(),
  summaryTrendStats: ['count', 'med', 'p(95)', 'p(99)', 'max'],
  setupTimeout: '2m',
  systemTags: ['scenario', 'status'],
}

// thresholds are the objectives of services/docs/observability.md that a client can measure; calls must not be dropped.
// A breakpoint run ends when half of the registrations exceed the objective of 99 of 100. The thresholds on one call or
// one part of the time are always met: k6 reports only submetrics that have a threshold.
function thresholds() {
  const end = { abortOnFail: plan.limit, delayAbortEval: '10s' }
  const all = {
    'failed{call:create}': [{ threshold: 'rate<=0.005', ...end }],
    'answered{call:create}': plan.limit ? [{ threshold: 'med<=500', ...end }] : ['p(95)<=150', 'p(99)<=500'],
    failed: [{ threshold: 'rate<=0.005', ...end }],
    wrong: ['count==0'],
    dropped_iterations: [{ threshold: 'count==0', ...end }],
  }
  for (const call of calls) {
    all[`answered{call:${call}}`] = [...(all[`answered{call:${call}}`] || []), 'max>=0']
    all[`failed{call:${call}}`] = [...(all[`failed{call:${call}}`] || []), 'rate>=0']
  }
  for (let part = 0; part < parts; part++) {
    all[`answered{part:${part}}`] = ['max>=0']
    all[`answered{call:create,part:${part}}`] = ['max>=0']
    all[`failed{part:${part}}`] = ['rate>=0']
  }
  return all
}

// setup signs all users in.
export function setup() {
  const people = { reception: [], pa: [], consultant: [], admin: [] }
  for (const { role, email, password } of accounts) {
    const answer = http.post(`${base}/api/auth/sign-in/email`, JSON.stringify({ email, password }), {
      headers: { 'Content-Type': 'application/json' },
      jar: new http.CookieJar(), // a jar for each user
    })
    if (answer.status !== 200) {
      throw new Error(`${role} cannot sign in: ${answer.status} ${answer.body}`)
    }
    const { token, user } = answer.json()
    people[role].push({ role, email, token, id: user.id })
  }
  const offered = http.get(`${base}/api/services`, {
    headers: { Authorization: `Bearer ${people.reception[0].token}` },
  })
  return { people, services: offered.json('services').map((service) => service.id), began: Date.now() }
}

let asked = 0

// nextRequest returns a new name for a call.
function nextRequest(day) {
  asked++
  return `queue-${day.began}-${exec.vu.idInTest}-${asked}`
}

// ask makes one call as a person; due is when it should have begun.
function ask(day, person, call, due, method, path, body, headers) {
  const answer = http.request(method, base + path, body ? JSON.stringify(body) : null, {
    headers: { Authorization: `Bearer ${person.token}`, 'Content-Type': 'application/json', ...headers },
    timeout: '10s',
    tags: { call },
  })
  const ended = Date.now()
  const part = Math.min(
    parts - 1,
    Math.floor(((due - exec.scenario.startTime) / 1000 / plan.lasting) * parts),
  )
  const tags = { call, part: String(part) }
  answered.add(ended - due, tags)
  failed.add(answer.status === 0 || answer.status >= 500, tags)
  if (answer.status === 409 || answer.status === 412) {
    rejected.add(1, tags)
  } else if (answer.status >= 400 && answer.status < 500) {
    wrong.add(1, tags)
    console.error(`${call} was answered ${answer.status}: ${answer.body}`)
  }
  return { answer, ended, ok: answer.status >= 200 && answer.status < 300 }
}

// change makes a call that changes a visit, and writes its outcome to the console. `bench queue` reads the console's
// file for tools/proof/checker. A line before the call stands for a call that the end of the run interrupts.
function change(day, person, call, due, op, method, path, body, headers) {
  const line = {
    ...op,
    client: person.email,
    actor: person.id,
    role: person.role,
    request_id: nextRequest(day),
    outcome: 'unknown',
  }
  line.call_ns = (Date.now() - day.began) * 1e6
  line.return_ns = line.call_ns + 10e9
  console.log(JSON.stringify(line))
  const done = ask(day, person, call, due, method, path, body, {
    Traceparent: `00-${crypto.sha256(line.request_id, 'hex').slice(0, 32)}-0000000000000001-00`, // the checker knows it
    ...headers,
  })
  const status = done.answer.status
  line.return_ns = (done.ended + 1 - day.began) * 1e6 // The clock has whole milliseconds, so the end is rounded up.
  line.http = status
  if (status !== 0 && status < 500) {
    line.outcome = done.ok ? 'ok' : 'fail'
  }
  if (done.ok) {
    const visit = done.answer.json('visit')
    line.visit = visit.id
    line.seen = {
      id: visit.id,
      day: visit.day,
      token: visit.token,
      status: visit.status,
      stage: visit.queue.stage,
      version: visit.version,
      consultant: visit.assignedConsultantId || '',
    }
  }
  if (line.outcome === 'fail') {
    line.code = done.answer.json('code')
  }
  console.log(JSON.stringify(line))
  return done
}

// due returns when this iteration was due.
const due = (role) => exec.scenario.startTime + dueAt(plans[role], exec.scenario.iterationInTest) * 1000

const pick = (list) => list[Math.floor(Math.random() * list.length)]
const digits = (count) => String(Math.floor(Math.random() * 10 ** count)).padStart(count, '0')

// reception registers a visitor, and looks one in ten up before.
export function reception(day) {
  const person = pick(day.people.reception)
  const phone = `9${digits(9)}`
  let at = due('reception')
  if (exec.scenario.iterationInTest % 10 === 0) {
    at = ask(day, person, 'lookup', at, 'POST', '/api/visits/lookup', { phone }).ended
  }
  const key = nextRequest(day)
  const visitor = {
    name: pick(['Asha Patil', 'Ravi Kumar', 'मीना शर्मा', 'Fatima Sheikh']),
    phone,
    service_id: pick(day.services),
    notes: 'load',
  }
  change(day, person, 'create', at, { kind: 'create', idem_key: key }, 'POST', '/api/visits', visitor, {
    'Idempotency-Key': key,
  })
}

// pa decides about one of the visitors who wait longest. Several PAs see the same list, so their decisions may
// conflict.
export function pa(day) {
  const person = pick(day.people.pa)
  const list = ask(day, person, 'pending', due('pa'), 'GET', '/api/visits/pending-approval')
  const waiting = list.ok ? list.answer.json('visits') : []
  if (waiting.length === 0) {
    return
  }
  const visit = pick(waiting.slice(0, 20))
  const path = `/api/visits/${visit.id}/status`
  if (Math.random() < 0.1) {
    change(day, person, 'decide', list.ended, { kind: 'deny', visit: visit.id }, 'PUT', path, {
      status: 'denied',
      notes: 'load',
    })
    return
  }
  const consultant = pick(day.people.consultant).id
  const body = { status: 'approved', assigned_consultant_id: consultant }
  change(
    day,
    person,
    'decide',
    list.ended,
    { kind: 'approve', visit: visit.id, consultant },
    'PUT',
    path,
    body,
  )
}

// consultant ends the running session, or calls the next visitor in and ends that session.
export function consultant(day) {
  const person = day.people.consultant[exec.vu.idInTest % day.people.consultant.length]
  const list = ask(day, person, 'own', due('consultant'), 'GET', '/api/visits/today')
  const visits = list.ok ? list.answer.json('visits') : []
  let visit = visits.find((one) => one.status === 'in-session')
  let at = list.ended
  if (!visit) {
    visit = visits.find((one) => one.status === 'approved')
    if (!visit) {
      return
    }
    const begun = change(
      day,
      person,
      'start',
      at,
      { kind: 'start', visit: visit.id },
      'PUT',
      `/api/visits/${visit.id}/status`,
      { status: 'in-session' },
    )
    if (!begun.ok) {
      return
    }
    at = begun.ended
  }
  const body = { status: 'completed', notes: 'load' }
  change(
    day,
    person,
    'complete',
    at,
    { kind: 'complete', visit: visit.id },
    'PUT',
    `/api/visits/${visit.id}/status`,
    body,
  )
}

// dashboard fetches the lists of an open screen, as after an event.
export function dashboard(day) {
  const screens = [
    ['reception', 'today', '/api/visits/today'],
    ['pa', 'pending', '/api/visits/pending-approval'],
    ['consultant', 'own', '/api/visits/today'],
    ['reception', 'counts', '/api/analytics/dashboard'],
  ]
  const [role, call, path] = pick(screens)
  ask(day, pick(day.people[role]), call, due('dashboard'), 'GET', path)
}

// administrator reads the trail and the queues. Now and then one exports the day, another enters a holiday.
export function administrator(day) {
  const person = pick(day.people.admin)
  const at = due('administrator')
  const turn = exec.scenario.iterationInTest % 10
  if (turn === 9) {
    ask(day, person, 'export', at, 'GET', '/api/analytics/export')
  } else if (turn === 8) {
    closeDay(day, person, at)
  } else if (turn % 3 === 0) {
    ask(day, person, 'queues', at, 'GET', '/api/users/consultants')
  } else {
    ask(day, person, 'audit', at, 'GET', `/api/analytics/audit?page=${1 + (turn % 5)}&limit=20`)
  }
}

// closeDay closes the office on one of the next days, but not today or tomorrow. Its event is for every stream.
function closeDay(day, person, at) {
  const read = ask(day, person, 'settings', at, 'GET', '/api/office/settings')
  if (!read.ok) {
    return
  }
  const { version, value } = read.answer.json('office.sections.hours')
  const ahead = 3 + (Math.floor(exec.scenario.iterationInTest / 10) % 300)
  const date = new Date(Date.now() + ahead * 24 * 3600 * 1000).toISOString().slice(0, 10)
  const closed = { date, name: 'Local holiday', texts: {}, open: null, close: null, breaks: [] }
  value.specialDays = [...value.specialDays.filter((one) => one.date !== date), closed]
  ask(day, person, 'holiday', read.ended, 'PUT', '/api/office/settings/hours', { value, version })
}

// handleSummary writes a report on the console and as a page with charts, and all figures as JSON.
export function handleSummary(data) {
  const folder = __ENV.REPORT || '.'
  return {
    stdout: textOf(data, plan, calls),
    [`${folder}/queue.html`]: pageOf(data, plan, calls, parts),
    [`${folder}/queue-k6.json`]: JSON.stringify({ ...data, plan }, null, 1),
  }
}
