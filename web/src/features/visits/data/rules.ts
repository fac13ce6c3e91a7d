import type { Rule } from 'antd/es/form'
import { messages } from '@/staff-messages'

const text = messages.visits.form
const tenDigits = /^[0-9]{10}$/

/** Whether the input so far is enough to look a visitor up. */
export const isWholePhone = (phone: string) => tenDigits.test(phone)

export const longestName = 100
export const longestNotes = 2_000
/** The longest number of a desk, in characters. */
export const longestCounter = 12

/** A name of blanks counts as missing. */
export const nameRules: Rule[] = [{ required: true, whitespace: true, message: text.nameRequired }]

export const phoneRules: Rule[] = [
  { required: true, message: text.phoneRequired },
  { pattern: tenDigits, message: text.phoneInvalid },
]

export const serviceRules: Rule[] = [{ required: true, message: text.serviceRequired }]
