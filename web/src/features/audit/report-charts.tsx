import {
  Bar,
  BarChart,
  CartesianGrid,
  Legend,
  Line,
  LineChart,
  ResponsiveContainer,
  XAxis,
  YAxis,
} from 'recharts'

export type Series = { key: string; name: string; colour: string; dash?: string }
export type Point = { name: string } & Record<string, string | number | null>

type Props = { points: readonly Point[]; series: readonly Series[] }

const tick = { fill: 'var(--b-ink2)', fontSize: 13 }
const grid = <CartesianGrid stroke="var(--b-line)" vertical={false} />
const height = 260

/** Lines over the hours of a day. The lines differ in their dashes as well as in their colours. */
export function Lines({ points, series }: Props) {
  return (
    <ResponsiveContainer width="100%" height={height}>
      <LineChart data={[...points]} accessibilityLayer={false}>
        {grid}
        <XAxis dataKey="name" tick={tick} stroke="var(--b-lineStrong)" />
        <YAxis tick={tick} stroke="var(--b-lineStrong)" width={40} allowDecimals={false} />
        <Legend />
        {series.map(({ key, name, colour, dash }) => (
          <Line
            key={key}
            dataKey={key}
            name={name}
            stroke={colour}
            strokeWidth={2}
            isAnimationActive={false}
            {...(dash ? { strokeDasharray: dash } : {})}
          />
        ))}
      </LineChart>
    </ResponsiveContainer>
  )
}

const rowHeight = 26

/** Horizontal bars, a group for each name. */
export function Bars({ points, series }: Props) {
  return (
    <ResponsiveContainer width="100%" height={60 + points.length * series.length * rowHeight}>
      <BarChart data={[...points]} layout="vertical" accessibilityLayer={false}>
        <XAxis type="number" tick={tick} stroke="var(--b-lineStrong)" allowDecimals={false} />
        <YAxis type="category" dataKey="name" tick={tick} stroke="var(--b-lineStrong)" width={130} />
        <Legend />
        {series.map(({ key, name, colour }) => (
          <Bar key={key} dataKey={key} name={name} fill={colour} isAnimationActive={false} />
        ))}
      </BarChart>
    </ResponsiveContainer>
  )
}
