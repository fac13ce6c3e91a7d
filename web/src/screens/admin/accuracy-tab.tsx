import { useQuery } from '@tanstack/react-query'
import { Accuracy } from '@/features/foresight/accuracy'
import { accuracyQuery } from '@/features/foresight/queries'
import { messages } from '@/staff-messages'
import { Panel } from '@/ui/panel'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { Loaded } from './loaded'

const text = messages.forecast.accuracy

/** How the forecasts were kept, loaded with its tab. */
export function AccuracyTab() {
  const accuracy = useQuery(accuracyQuery)
  return (
    <Loaded query={accuracy} failure={text.failed} title={text.tab}>
      {(figures) =>
        figures ? (
          <Accuracy accuracy={figures} />
        ) : (
          <Panel title={text.tab}>
            <SkeletonRows label={text.loading} />
          </Panel>
        )
      }
    </Loaded>
  )
}
