import { messages } from '@/admin-messages'

export const phoneRules = [
  { required: true, pattern: /^\d{10}$/, message: messages.privacy.person.phoneRequired },
]
