import { messages } from '@/admin-messages'
import type { Accuracy } from '@/api/types'
import { fill } from '@/messages'
import { percentOf } from './words'

const text = messages.accuracy

const size = 200

/** Plots the share of visitors who were called before each quantile of their forecast: ideally a diagonal. */
export function CalibrationPlot({ points }: { points: Accuracy['calibration'] }) {
  const words = points
    .map(({ level, share }) => fill(text.point, { promised: percentOf(level), seen: percentOf(share) }))
    .join(', ')
  const at = ({ level, share }: (typeof points)[number]) => `${level * size},${(1 - share) * size}`
  return (
    <figure className="calibration-plot">
      <svg
        role="img"
        aria-label={fill(text.calibrationChart, { points: words })}
        viewBox={`-6 -6 ${size + 12} ${size + 12}`}
      >
        <rect className="plot-frame" width={size} height={size} />
        <line className="plot-right" x1="0" y1={size} x2={size} y2="0" />
        <polyline className="plot-seen" points={points.map(at).join(' ')} />
        {points.map((point) => (
          <circle
            key={point.level}
            className="plot-point"
            cx={point.level * size}
            cy={(1 - point.share) * size}
            r="5"
          />
        ))}
      </svg>
      <figcaption className="small-text">{text.axes}</figcaption>
    </figure>
  )
}
