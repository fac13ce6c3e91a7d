import { Button, Input } from 'antd'
import { inBackground } from '@/in-background'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { useToast } from '@/ui/toasts'

const text = messages.directory.staff

/** The link of an invitation, to be copied. */
export function InviteLink({ name, email, url }: { name: string; email: string; url: string }) {
  const toast = useToast()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url)
      toast.success(text.copied)
    } catch {
      // Permission may be denied, and a page served over plain HTTP has no clipboard.
      toast.error(text.copyFailed)
    }
  }
  return (
    <>
      <p>{fill(text.invite, { name, email })}</p>
      <div className="invite-link">
        <Input readOnly value={url} aria-label={text.copy} onFocus={(event) => event.target.select()} />
        <Button onClick={() => inBackground(copy())}>{text.copy}</Button>
      </div>
    </>
  )
}
