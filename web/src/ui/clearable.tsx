import { messages } from '@/staff-messages'
import { Icon } from './icon'

/** Replaces the button that empties a field, because Ant Design's button has an English name. */
export const clearable = { clearIcon: <Icon name="x" size={14} />, label: messages.visits.form.forget }
