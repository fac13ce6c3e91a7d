// The rates of arrivals. A profile is a list of stages, each with a share of the whole time, and the rate at its end as
// a share of the highest rate. All scenarios follow the same stages, so one formula gives the time at which each
// iteration was due.

// The profiles. A profile with a limit ends when an objective is missed.
export const profiles = {
  ramp: {
    lasting: 120,
    rate: 10,
    begin: 0.1,
    stages: [
      [0.5, 1],
      [0.5, 1],
    ],
  },
  spike: {
    lasting: 120,
    rate: 20,
    begin: 0.2,
    stages: [
      [0.3, 0.2],
      [0.05, 1],
      [0.2, 1],
      [0.05, 0.2],
      [0.4, 0.2],
    ],
  },
  soak: { lasting: 600, rate: 5, begin: 1, stages: [[1, 1]] },
  breakpoint: { lasting: 120, rate: 100, begin: 0.05, stages: [[1, 1]], limit: true },
}

// planOf returns a profile in seconds and in visitors a second.
export function planOf(name, lasting, rate) {
  const profile = profiles[name]
  if (!profile) {
    throw new Error(`there is no profile ${name}: choose of ${Object.keys(profiles).join(', ')}`)
  }
  const time = lasting || profile.lasting
  const most = rate || profile.rate
  return {
    name,
    lasting: time,
    limit: Boolean(profile.limit),
    begin: profile.begin * most,
    stages: profile.stages.map(([share, to]) => ({ lasting: share * time, to: to * most })),
  }
}

// times returns the plan of a scenario that runs this many times for each visitor.
export function times(plan, often) {
  return {
    ...plan,
    begin: plan.begin * often,
    stages: plan.stages.map((stage) => ({ ...stage, to: stage.to * often })),
  }
}

// steady returns the plan of a scenario whose rate does not depend on the arrivals.
export function steady(plan, rate) {
  return { ...plan, begin: rate, stages: [{ lasting: plan.lasting, to: rate }] }
}

// The unit of time of the rates, in seconds. k6 takes whole numbers only, so a small rate needs a long unit.
const unit = 60

// scenario returns a plan in the form of k6's options. Its arrival rate does not depend on the answers.
export function scenario(plan, exec, vus) {
  return {
    executor: 'ramping-arrival-rate',
    exec,
    timeUnit: `${unit}s`,
    startRate: Math.round(plan.begin * unit),
    preAllocatedVUs: vus,
    maxVUs: vus,
    gracefulStop: '30s',
    stages: plan.stages.map((stage) => ({
      duration: `${Math.round(stage.lasting * 1000)}ms`,
      target: Math.round(stage.to * unit),
    })),
  }
}

// dueAt returns when an iteration, counted from 0, was due, in seconds after the start. That is where the area under
// the rates reaches the iteration's number.
export function dueAt(plan, iteration) {
  let left = iteration + 1
  let from = plan.begin
  let began = 0
  for (const { lasting, to } of plan.stages) {
    const area = ((from + to) / 2) * lasting
    if (left <= area) {
      const slope = (to - from) / lasting
      return began + (slope === 0 ? left / from : (Math.sqrt(from * from + 2 * slope * left) - from) / slope)
    }
    left -= area
    from = to
    began += lasting
  }
  return began
}

// rateAt returns the rate, in iterations a second, that is due at a time.
export function rateAt(plan, second) {
  let from = plan.begin
  let began = 0
  for (const { lasting, to } of plan.stages) {
    if (second <= began + lasting) {
      return from + ((to - from) * (second - began)) / lasting
    }
    from = to
    began += lasting
  }
  return from
}
