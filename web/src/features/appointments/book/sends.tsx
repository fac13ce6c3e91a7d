import { useQuery } from '@tanstack/react-query'
import { Form, type FormInstance } from 'antd'
import { channelsQuery } from '@/features/appointments/day/queries'
import { messages } from '@/staff-messages'

const text = messages.day.sends

/** Says which messages a change sends to the client. */
export function Sends({ mail, texts }: { mail: boolean; texts: boolean }) {
  const { data } = useQuery(channelsQuery)
  const byMail = mail && data?.mail !== false
  const byText = texts && [data?.sms, data?.whatsapp].includes(true)
  const [onlyMail, onlyText] = [byMail && !byText, byText && !byMail]
  return (
    <p className="sends" role="status">
      {onlyMail ? text.mail : null}
      {onlyText ? text.text : null}
      {byMail && byText ? text.both : null}
      {byMail || byText ? null : text.none}
    </p>
  )
}

/** The same for the fields of a form. */
export function FormSends({ form }: { form: FormInstance }) {
  const email = Form.useWatch('email', form) as string | undefined
  const texts = Form.useWatch('messages', form) as boolean | undefined
  return <Sends mail={Boolean(email)} texts={texts === true} />
}
