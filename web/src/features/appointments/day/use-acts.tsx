import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import type { StaffAppointment } from '@/api/types'
import { chunk } from '@/chunk'
import { inBackground } from '@/in-background'
import { addSuccess } from '@/shelf'
import { messages } from '@/staff-messages'
import { useToast } from '@/ui/toasts'
import { changeStatus } from './mutations'
import { linkQuery } from './queries'
import type { Action, Work } from './work'

const MoveDialog = chunk(async () => (await import('@/features/appointments/book/move-dialog')).MoveDialog)
const DetailsDialog = chunk(
  async () => (await import('@/features/appointments/book/details-dialog')).DetailsDialog,
)

const statusOf = {
  confirm: { status: 'confirmed' },
  confirmQuiet: { status: 'confirmed', tell: false },
  cancel: { status: 'cancelled' },
  noShow: { status: 'no-show' },
  done: { status: 'done' },
  decline: { status: 'declined' },
} as const

/** The actions of the rows, and the dialog of the one that needs it. */
export function useActs(work: Work) {
  const client = useQueryClient()
  const toast = useToast()
  const change = useMutation(changeStatus)
  const [asking, setAsking] = useState<{ action: 'move' | 'correct'; of: StaffAppointment }>()
  const [own, setOwn] = useState<string>()

  const act = (of: StaffAppointment, action: Action) => {
    if (change.isPending) return
    setOwn(of.id)
    if (action === 'move' || action === 'correct') setAsking({ action, of })
    else if (action === 'link') inBackground(copyLink(of.id))
    else change.mutate({ appointment: of, ...statusOf[action] })
  }
  const copyLink = async (id: string) => {
    try {
      const { url } = await client.query(linkQuery(id))
      await navigator.clipboard.writeText(url)
      addSuccess(messages.day.copied)
    } catch {
      toast.error(messages.day.linkFailed)
    }
  }
  const close = () => setAsking(undefined)
  const Dialog = asking?.action === 'move' ? MoveDialog : DetailsDialog
  const dialog = asking ? (
    <Suspense fallback={null}>
      <Dialog appointment={asking.of} work={work} onClose={close} />
    </Suspense>
  ) : null
  return { act, dialog, own, busyId: change.isPending ? change.variables.appointment.id : undefined }
}

export type Acts = ReturnType<typeof useActs>
