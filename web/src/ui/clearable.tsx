import { messages } from '@/staff-messages'
import { Icon } from './icon'

/** The button that empties a field with a choice: Ant Design's own has an English name. */
export const clearable = { clearIcon: <Icon name="x" size={14} />, label: messages.visits.form.forget }
