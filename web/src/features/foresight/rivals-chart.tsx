import { messages } from '@/admin-messages'
import { fill } from '@/messages'
import { minutesOf } from './words'

const text = messages.accuracy

type Bar = { name: string; mae: number | null }

/** The mean error of the forecast, beside the errors of two simpler forecasts. */
export function RivalsChart({ bars }: { bars: readonly Bar[] }) {
  const most = Math.max(...bars.map(({ mae }) => mae ?? 0), 1)
  const words = bars.map(({ name, mae }) => `${name}: ${minutesOf(mae)}`).join(', ')
  return (
    <figure className="rivals-chart" role="img" aria-label={fill(text.rivalsChart, { errors: words })}>
      {bars.map(({ name, mae }, index) => (
        <div key={name} aria-hidden="true">
          <span>{name}</span>
          <svg width="100%" height="18">
            <rect
              className={index === 0 ? 'rival-own' : 'rival'}
              width={`${((mae ?? 0) / most) * 100}%`}
              height="18"
              rx="2"
            />
          </svg>
        </div>
      ))}
    </figure>
  )
}
