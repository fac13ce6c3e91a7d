import { useQuery } from '@tanstack/react-query'
import { loadTexts } from '@/live/offline-texts'
import { Icon } from '@/ui/icon'
import './papers.css'

/** Says that the service of an offline visit was not offered any more when it was sent. Its texts are loaded for it. */
export function ServiceGone() {
  const { data: text } = useQuery({ queryKey: ['offline-desk-texts'], queryFn: loadTexts })
  return text ? (
    <p className="missing-papers">
      <Icon name="file" size={16} /> <span>{text.serviceGone}</span>
    </p>
  ) : null
}
