import { useQuery } from '@tanstack/react-query'
import { textsQuery } from '@/live/offline-texts'
import { Icon } from '@/ui/icon'
import './papers.css'

/** Shows that a service was no longer offered when the offline visit was sent. The text is loaded on demand. */
export function ServiceGone() {
  const { data: text } = useQuery(textsQuery)
  return text ? (
    <p className="missing-papers">
      <Icon name="file" size={16} /> <span>{text.serviceGone}</span>
    </p>
  ) : null
}
