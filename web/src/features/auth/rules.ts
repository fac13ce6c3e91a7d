import type { Rule } from 'antd/es/form'
import { emailAddress } from '@/email-address'
import { messages } from '@/messages'

export const passwordMin = 6

export const emailRules: Rule[] = [
  { required: true, message: messages.auth.emailRequired },
  { pattern: emailAddress, message: messages.auth.emailInvalid },
]

export const passwordRules: Rule[] = [
  { required: true, message: messages.auth.passwordRequired },
  { min: passwordMin, message: messages.auth.passwordShort },
]
