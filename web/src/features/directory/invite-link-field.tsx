import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { LinkField } from '@/ui/link-field'

const text = messages.directory.staff

/** The link of an invitation, to be copied. */
export function InviteLink({ name, email, url }: { name: string; email: string; url: string }) {
  return (
    <>
      <p>{fill(text.invite, { name, email })}</p>
      <LinkField url={url} />
    </>
  )
}
