// The report of a run: a table for the console, and a self-contained page with charts.

import { rateAt } from './profiles.js'

// The objective that the charts show.
export const objective = 500 // ms, 99 of 100 creates

const ms = (value) => (value === undefined ? '-' : value < 10 ? value.toFixed(1) : value.toFixed(0))
const escape = (text) =>
  String(text).replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign])

const valuesOf = (data, name) => (data.metrics[name] ? data.metrics[name].values : {})

// rowsOf is a row of figures for each call that was made.
export function rowsOf(data, calls) {
  return calls
    .map((call) => {
      const times = valuesOf(data, `answered{call:${call}}`)
      const failed = valuesOf(data, `failed{call:${call}}`)
      return {
        call,
        count: times.count || 0,
        med: times.med,
        p95: times['p(95)'],
        p99: times['p(99)'],
        max: times.max,
        failed: failed.passes || 0,
      }
    })
    .filter((row) => row.count > 0)
}

// sentences are the thresholds in words.
const sentences = {
  'answered{call:create} med<=500': 'half of the visitors are registered within 500 ms',
  'answered{call:create} p(95)<=150': '95 of 100 visitors are registered within 150 ms',
  'answered{call:create} p(99)<=500': '99 of 100 visitors are registered within 500 ms',
  'dropped_iterations count==0': 'no call was left out for want of clients',
  'failed rate<=0.005': '99.5 % of all calls are answered without a 5xx',
  'failed{call:create} rate<=0.005': '99.5 % of the registrations are answered without a 5xx',
  'wrong count==0': 'no call was rejected except with 409, when another client was faster',
}

// goalsOf returns the thresholds that limit something, and whether they are met.
export function goalsOf(data) {
  const goals = []
  for (const [name, metric] of Object.entries(data.metrics)) {
    for (const [expression, { ok }] of Object.entries(metric.thresholds || {})) {
      if (expression !== 'max>=0' && expression !== 'rate>=0') {
        const rule = `${name} ${expression}`
        goals.push({ name: sentences[rule] || rule, ok })
      }
    }
  }
  return goals.sort((a, b) => a.name.localeCompare(b.name))
}

// partsOf returns the figures of each part of the time that the run has reached.
export function partsOf(data, plan, count) {
  const parts = []
  for (let part = 0; part < count; part++) {
    const all = valuesOf(data, `answered{part:${part}}`)
    const creates = valuesOf(data, `answered{call:create,part:${part}}`)
    if (!all.count) {
      continue
    }
    const middle = ((part + 0.5) / count) * plan.lasting
    const failed = valuesOf(data, `failed{part:${part}}`).passes || 0
    parts.push({
      second: middle,
      due: rateAt(plan, middle),
      calls: (all.count * count) / plan.lasting,
      p99: all['p(99)'],
      creates,
      failed,
    })
  }
  return parts
}

// textOf returns the report for the console.
export function textOf(data, plan, calls) {
  const rows = rowsOf(data, calls).map((row) =>
    [row.call, row.count, ms(row.med), ms(row.p95), ms(row.p99), ms(row.max), row.failed].map(String),
  )
  const table = [['', 'calls', 'p50, ms', 'p95, ms', 'p99, ms', 'most, ms', 'failed'], ...rows]
  const widths = table[0].map((_, i) => Math.max(...table.map((row) => row[i].length)))
  const lines = table.map((row) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  '),
  )
  const count = (name) => valuesOf(data, name).count || 0
  lines.push('')
  lines.push(
    `${plan.name}, ${(data.state.testRunDurationMs / 1000).toFixed(0)} s; times count from when a call was due`,
  )
  lines.push(
    `${count('rejected')} rejected with 409 (another client was faster), ${count('wrong')} wrong, ` +
      `${count('dropped_iterations')} not begun because no client was free`,
  )
  for (const goal of goalsOf(data)) {
    lines.push(`${goal.ok ? 'met   ' : 'MISSED'}  ${goal.name}`)
  }
  return `${lines.join('\n')}\n`
}

const width = 720
const height = 220
const edge = { left: 60, right: 24, top: 12, bottom: 34 }

// round returns the next round number, for the end of an axis.
function round(most) {
  const power = 10 ** Math.floor(Math.log10(most || 1))
  return [1, 2, 4, 8, 10].map((step) => step * power).find((step) => step >= most) || most
}

// lineChart draws series of [x, y] over time. mark is a limit, drawn as a line.
export function lineChart(title, unit, lasting, series, mark) {
  const top = round(Math.max(1, ...series.flatMap((one) => one.points.map(([, y]) => y))))
  const x = (value) => edge.left + (value / lasting) * (width - edge.left - edge.right)
  const y = (value) => height - edge.bottom - (value / top) * (height - edge.top - edge.bottom)
  const across = (name, at) =>
    `<line class="${name}" x1="${edge.left}" x2="${width - edge.right}" y1="${y(at)}" y2="${y(at)}"/>`
  const grid = [0, 0.25, 0.5, 0.75, 1].map(
    (share) => `${across('grid', share * top)}
<text x="${edge.left - 8}" y="${y(share * top) + 5}" text-anchor="end">${share * top}</text>
<text x="${x(share * lasting)}" y="${height - 8}" text-anchor="middle">${Math.round(share * lasting)} s</text>`,
  )
  const lines = series.map((one, i) => {
    const points = one.points.map(([at, value]) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(' ')
    return `<polyline class="s${i}" points="${points}"/>`
  })
  const limit = mark && mark <= top ? across('mark', mark) : ''
  const legend = series
    .map((one, i) => `<span class="key"><i class="s${i}"></i>${escape(one.name)}</span>`)
    .join('')
  return `<figure><figcaption>${escape(title)} <small>${escape(unit)}</small></figcaption>
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escape(title)}">
${grid.join('')}${limit}${lines.join('')}</svg><p>${legend}</p></figure>`
}

const style = `
:root {
  color-scheme: light dark;
  --ink: #1b2430; --soft: #5b6675; --line: #dfe4ea; --back: #fff;
  --a: #1463c4; --b: #b45309; --c: #b4233c; --good: #177245;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e8ecf1; --soft: #9aa5b4; --line: #313a46; --back: #14181e;
    --a: #6aa8f7; --b: #e6a15a; --c: #f08496; --good: #5cc592;
  }
}
body {
  margin: 0 auto; max-width: 1000px; padding: 32px 20px 64px;
  font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--back);
}
h1 { font-size: 24px; margin: 0; } h2 { font-size: 17px; margin: 36px 0 8px; } p { color: var(--soft); margin: 4px 0; }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: 6px 10px; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
.goals td:first-child { white-space: normal; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 440px), 1fr)); gap: 24px; }
figure { margin: 0; } figcaption { font-weight: 600; } small { color: var(--soft); font-weight: 400; }
svg { width: 100%; height: auto; } svg text { font-size: 16px; fill: var(--soft); }
.grid { stroke: var(--line); } .mark { stroke: var(--c); stroke-dasharray: 6 4; }
polyline { fill: none; stroke-width: 2; }
.s0 { stroke: var(--a); background: var(--a); }
.s1 { stroke: var(--b); background: var(--b); }
.s2 { stroke: var(--c); background: var(--c); }
.key { display: inline-flex; align-items: center; gap: 6px; margin-right: 16px; } .key i { width: 14px; height: 3px; }
.met { color: var(--good); } .missed { color: var(--c); font-weight: 600; }`

// tableOf returns a table; head and rows are HTML.
const tableOf = (name, head, rows) =>
  `<div class="wide"><table class="${name}"><tr>${head.map((cell) => `<th>${cell}</th>`).join('')}</tr>
${rows.join('\n')}</table></div>`

// pageOf returns the report as a page.
export function pageOf(data, plan, calls, count) {
  const parts = partsOf(data, plan, count)
  const over = (value) => parts.map((part) => [part.second, value(part) || 0])
  const charts = [
    lineChart('Visitors that arrive', 'a second', plan.lasting, [
      { name: 'due', points: over((part) => part.due) },
    ]),
    lineChart(
      'Registering a visitor',
      `ms; the line is the objective, ${objective} ms for 99 of 100`,
      plan.lasting,
      [
        { name: 'p50', points: over((part) => part.creates.med) },
        { name: 'p95', points: over((part) => part.creates['p(95)']) },
        { name: 'p99', points: over((part) => part.creates['p(99)']) },
      ],
      objective,
    ),
    lineChart('All calls', 'a second', plan.lasting, [
      { name: 'answered', points: over((part) => part.calls) },
    ]),
    lineChart('The slowest of a hundred, all calls', 'ms', plan.lasting, [
      { name: 'p99', points: over((part) => part.p99) },
    ]),
  ]
  const rows = rowsOf(data, calls).map((row) => {
    const times = [row.med, row.p95, row.p99, row.max].map(ms)
    return `<tr>${[row.call, row.count, ...times, row.failed].map((cell) => `<td>${cell}</td>`).join('')}</tr>`
  })
  const goals = goalsOf(data).map(
    (goal) =>
      `<tr><td>${escape(goal.name)}</td><td class="${goal.ok ? 'met">met' : 'missed">missed'}</td></tr>`,
  )
  const title = `The queue under load: ${escape(plan.name)}`
  const at = new Date().toISOString().slice(0, 16).replace('T', ' ')
  const seconds = (data.state.testRunDurationMs / 1000).toFixed(0)
  const head = ['call', 'calls', 'p50, ms', 'p95, ms', 'p99, ms', 'most, ms', 'failed']
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${style}</style></head>
<body><h1>${title}</h1>
<p>${at} UTC, ${seconds} s. Times count from when a call was due.</p>
<h2>Over time</h2><div class="charts">${charts.join('\n')}</div>
<h2>Calls</h2>${tableOf('calls', head, rows)}
<h2>Objectives</h2>${tableOf('goals', ['what', 'result'], goals)}
</body></html>
`
}
