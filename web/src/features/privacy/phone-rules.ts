import { messages } from '@/admin-messages'

/** A phone number has ten digits. */
export const phoneRules = [
  { required: true, pattern: /^\d{10}$/, message: messages.privacy.person.phoneRequired },
]
