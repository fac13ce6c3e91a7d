import { useQuery } from '@tanstack/react-query'
import { messages } from '@/admin-messages'
import { Accuracy } from '@/features/foresight/accuracy'
import { accuracyQuery } from '@/features/foresight/queries'
import { Panel } from '@/ui/panel'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { Loaded } from './loaded'

const text = messages.accuracy
const title = messages.analytics.views.accuracy

/** How accurate the forecasts were. The figures are requested when the view is shown. */
export function AccuracyView() {
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
