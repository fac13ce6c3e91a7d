import { Button, Input } from 'antd'
import { inBackground } from '@/in-background'
import { messages } from '@/staff-messages'
import { useToast } from '@/ui/toasts'
import './link-field.css'

const text = messages.directory.staff

/** A link with a button that copies it. With `autoFocus` it has the focus, and is selected, when it appears. */
export function LinkField({ url, autoFocus = false }: { url: string; autoFocus?: boolean }) {
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
    <div className="link-field">
      <Input
        readOnly
        autoFocus={autoFocus}
        value={url}
        aria-label={text.copy}
        onFocus={(event) => event.target.select()}
      />
      <Button onClick={() => inBackground(copy())}>{text.copy}</Button>
    </div>
  )
}
