import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button, Modal } from 'antd'
import { useState } from 'react'
import { messages as attention } from '@/attention-messages'
import { inBackground } from '@/in-background'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { useNow, useOfficeTime } from '@/ui/office-time'
import { useToast } from '@/ui/toasts'
import { useReturnFocus } from '@/ui/use-return-focus'
import { InviteLink } from './invite-link-field'
import { linkOf } from './invite-link'
import type { Staff } from './models'
import { inviteAgain } from './people'

const text = attention.people
const { copy: copyText, copied } = messages.directory.staff

const tickMs = 60_000

type Props = {
  staff: Staff
  /** The end of the link. */
  until: string
}

/** The state of an invitation, with buttons that send another link and copy it. */
export function Invited({ staff, until }: Props) {
  const client = useQueryClient()
  const toast = useToast()
  const invite = useMutation(inviteAgain)
  const [shown, setShown] = useState<string>()

  const copy = async (url: string) => {
    try {
      await navigator.clipboard.writeText(url)
      toast.success(copied)
    } catch {
      // The dialog has the link to be selected.
      setShown(url)
    }
  }
  // A link of which this tab knows only the end cannot be copied, so another one is made.
  const copyLink = () => {
    const link = linkOf(client, staff)
    if (link) inBackground(copy(link))
    else invite.mutate(staff, { onSuccess: (made) => inBackground(copy(made)) })
  }
  const { name, email } = staff
  return (
    <>
      <LinkEnd until={until} />
      <span className="row-actions">
        <Button
          size="small"
          disabled={invite.isPending}
          aria-label={fill(text.sendAgainOf, { name })}
          onClick={() => invite.mutate(staff)}
        >
          {text.sendAgain}
        </Button>
        <Button
          size="small"
          disabled={invite.isPending}
          aria-label={fill(text.copyOf, { name })}
          onClick={copyLink}
        >
          {copyText}
        </Button>
      </span>
      {shown === undefined ? null : (
        <LinkDialog name={name} email={email} url={shown} onClose={() => setShown(undefined)} />
      )}
    </>
  )
}

/** When the link ends or ended. It is a component of its own, so that each minute renders only this text again. */
function LinkEnd({ until }: { until: string }) {
  const time = useOfficeTime()
  const ended = Date.parse(until) <= useNow(tickMs)
  return (
    <small className="small-text">
      {fill(ended ? text.inviteEnded : text.invited, { day: time.day(until), time: time.time(until) })}
    </small>
  )
}

type DialogProps = { name: string; email: string; url: string; onClose: () => void }

function LinkDialog({ onClose, ...link }: DialogProps) {
  useReturnFocus()
  return (
    <Modal open title={copyText} footer={null} onCancel={onClose}>
      <InviteLink {...link} />
    </Modal>
  )
}
