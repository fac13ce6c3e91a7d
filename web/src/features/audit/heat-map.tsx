import { messages } from '@/admin-messages'
import { counted } from '@/messages'
import { hourOfDay } from '@/ui/time-of-day'

const text = messages.reports

type Props = { days: readonly string[]; hours: readonly number[]; arrivals: readonly (readonly number[])[] }

/** Arrivals by weekday and hour: a table in which the cells with more visitors have a stronger colour. */
export function HeatMap({ days, hours, arrivals }: Props) {
  const most = Math.max(1, ...arrivals.flat())
  return (
    <div className="heat-map" role="group" aria-label={text.arrivals} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{text.weekday}</th>
            {hours.map((hour) => (
              <th key={hour} scope="col">
                {hourOfDay(hour)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day, index) => (
            <tr key={day}>
              <th scope="row">{day}</th>
              {hours.map((hour) => {
                const count = arrivals[index]?.[hour] ?? 0
                // The background has at most 50% of the colour, so that the number stays readable in both themes.
                const share = Math.round((50 * count) / most)
                const background = `color-mix(in srgb, var(--b-neel) ${share}%, var(--b-surface))`
                return (
                  <td key={hour} style={{ background }}>
                    {counted(count)}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
