import { Bar, BarChart, CartesianGrid, ErrorBar, ResponsiveContainer, XAxis, YAxis } from 'recharts'
import type { Expected } from '@/api/types'

const tick = { fill: 'var(--b-ink2)', fontSize: 13 }
const height = 240

type Props = {
  /** The bars' content in words. */
  label: string
  bars: readonly { name: string; visitors: Expected | null }[]
}

/** Expected visitors as bars, each with its range. */
export function ArrivalsChart({ label, bars }: Props) {
  const points = bars.map(({ name, visitors }) => ({
    name,
    mean: visitors?.mean ?? 0,
    range: visitors ? [visitors.mean - visitors.from, visitors.to - visitors.mean] : [0, 0],
  }))
  return (
    <figure className="arrivals-chart" role="img" aria-label={label}>
      <ResponsiveContainer width="100%" height={height}>
        <BarChart data={points} accessibilityLayer={false}>
          <CartesianGrid stroke="var(--b-line)" vertical={false} />
          <XAxis dataKey="name" tick={tick} stroke="var(--b-lineStrong)" />
          <YAxis tick={tick} stroke="var(--b-lineStrong)" width={40} allowDecimals={false} />
          <Bar dataKey="mean" fill="var(--b-neel)" isAnimationActive={false}>
            <ErrorBar dataKey="range" stroke="var(--b-ink)" strokeWidth={1.5} width={6} />
          </Bar>
        </BarChart>
      </ResponsiveContainer>
    </figure>
  )
}
