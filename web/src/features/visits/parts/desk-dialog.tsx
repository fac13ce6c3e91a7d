import { Modal } from 'antd'
import type { ComponentProps } from 'react'
import { useReturnFocus } from '@/ui/use-return-focus'
import { DeskSwitch, deskTitle } from './desk-switch'

type Props = ComponentProps<typeof DeskSwitch> & { onClose: () => void }

export function DeskDialog({ onClose, ...of }: Props) {
  useReturnFocus()
  return (
    <Modal open title={deskTitle(of.desk)} footer={null} width={520} onCancel={onClose}>
      <DeskSwitch {...of} />
    </Modal>
  )
}
