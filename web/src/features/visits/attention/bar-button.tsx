import { messages as attention } from '@/attention-messages'
import { fill, plural } from '@/messages'
import { Mark } from './strip'
import './attention.css'

type Props = { count: number; onOpen: () => void }

/** The button of the top bar with the number of entries that need attention. It opens the list. */
export const BarButton = ({ count, onOpen }: Props) => (
  <button type="button" className="attention-bar" aria-haspopup="dialog" onClick={onOpen}>
    <Mark />
    <span>{fill(plural(attention.attention.count, count), { count })}</span>
  </button>
)
