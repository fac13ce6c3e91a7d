import type { Visit } from '@/api/types'
import { isTokenOf, tokenText } from '@/features/visits/data/token-word'
import { serviceName } from '@/features/visits/data/visit'
import { isSought, soughtIn } from './search'

export type VisitorFilters = {
  /** Part of a token, a name or a phone number. */
  search: string
  status?: Visit['status'] | undefined
  /** Ids. */
  service?: string | undefined
  consultant?: string | undefined
}

/** The visits that match every given filter. The words of a search may be in any order, and in another script. */
export function filterVisits(visits: readonly Visit[], filters: VisitorFilters): Visit[] {
  const sought = soughtIn(filters.search)
  return visits.filter(
    (visit) =>
      (!filters.status || visit.status === filters.status) &&
      (!filters.service || visit.service.id === filters.service) &&
      (!filters.consultant || visit.assignedConsultantId === filters.consultant) &&
      isSought(sought, {
        phone: visit.phone,
        texts: [tokenText(visit), visit.name],
        isToken: (word) => (isTokenOf(visit, word) ? true : undefined),
      }),
  )
}

type Option = { value: string; label: string }

/** The services and the consultants of these visits, by name. */
export function choicesOf(
  visits: readonly Visit[],
  nameOf: (service: { id: string; name: string }) => string,
): { services: Option[]; consultants: Option[] } {
  const services = new Map(
    visits.map((visit) => [visit.service.id, nameOf({ id: visit.service.id, name: serviceName(visit) })]),
  )
  const consultants = new Map(
    visits.flatMap(({ assignedConsultantId: id, assignedConsultant: name }) =>
      id && name ? [[id, name]] : [],
    ),
  )
  return { services: optionsOf(services), consultants: optionsOf(consultants) }
}

const optionsOf = (names: ReadonlyMap<string, string>): Option[] =>
  [...names]
    .map(([value, label]) => ({ value, label }))
    .sort((one, other) => one.label.localeCompare(other.label))
