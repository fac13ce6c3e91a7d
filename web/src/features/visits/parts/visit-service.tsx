import type { Visit } from '@/api/types'
import { serviceName } from '@/features/visits/data/visit'
import { ServiceName } from '@/ui/office-words'

/** The service of a visit, in the language of the page. */
export const VisitService = ({ of }: { of: Pick<Visit, 'service'> }) => (
  <ServiceName of={{ id: of.service.id, name: serviceName(of) }} />
)
