import { useMutation, useQuery } from '@tanstack/react-query'
import { Button, Modal, Spin } from 'antd'
import type { VisitRef } from '@/features/visits/data/intent'
import { linkQuery, replaceLink } from '@/features/visits/data/visitor-link'
import { Told } from '@/features/visits/parts/told'
import { QrCode } from '@/features/visits/slips/qr-code'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { useReturnFocus } from '@/ui/use-return-focus'
import './link-dialog.css'

const text = messages.visitorLink

/**
 * The QR code of the visitor's own page, to be scanned from the screen. A new link can be created after a slip was
 * lost.
 */
export function LinkDialog({ visit, onClose }: { visit: VisitRef; onClose: () => void }) {
  useReturnFocus()
  // The link is read at each opening, because the response also has the notifications that have been sent.
  const { data, isPending } = useQuery({ ...linkQuery(visit.id), staleTime: 0 })
  const another = useMutation(replaceLink)
  return (
    <Modal open title={fill(text.title, { token: visit.token })} footer={null} width={420} onCancel={onClose}>
      <div className="link-dialog">
        {isPending ? <Spin /> : null}
        {data ? (
          <>
            <QrCode className="link-dialog-code" text={data.link.url} label={text.code} />
            <p role="status">{another.isSuccess ? text.made : text.text}</p>
            <p>{text.lost}</p>
            <Button loading={another.isPending} onClick={() => another.mutate(visit)}>
              {text.another}
            </Button>
          </>
        ) : null}
        {data ? <Told link={data.link} /> : null}
        {!data && !isPending ? <p>{text.none}</p> : null}
      </div>
    </Modal>
  )
}
