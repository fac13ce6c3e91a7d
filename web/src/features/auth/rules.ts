import type { Rule } from 'antd/es/form'
import { messages } from '@/messages'

const address = /^(?!.*\.\.)[a-z0-9._%+'-]+@[a-z0-9.-]+\.[a-z]{2,}$/i

export const passwordMin = 6

export const emailRules: Rule[] = [
  { required: true, message: messages.auth.emailRequired },
  { pattern: address, message: messages.auth.emailInvalid },
]

export const passwordRules: Rule[] = [
  { required: true, message: messages.auth.passwordRequired },
  { min: passwordMin, message: messages.auth.passwordShort },
]
