import { useQuery } from '@tanstack/react-query'
import { messages as adminMessages } from '@/admin-messages'
import { Accuracy } from '@/features/foresight/accuracy'
import { accuracyQuery } from '@/features/foresight/queries'
import { messages } from '@/staff-messages'
import { Panel } from '@/ui/panel'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { Loaded } from './loaded'

const text = adminMessages.accuracy
const title = messages.forecast.accuracyTab

/** How accurate the forecasts were. The figures are requested when the tab is shown. */
export function AccuracyTab() {
  const accuracy = useQuery(accuracyQuery)
  return (
    <Loaded query={accuracy} failure={text.failed} title={title}>
      {(figures) =>
        figures ? (
          <Accuracy accuracy={figures} />
        ) : (
          <Panel title={title}>
            <SkeletonRows label={text.loading} />
          </Panel>
        )
      }
    </Loaded>
  )
}
