import { useEffect } from 'react'

/** In place of a dialog that has nothing to show: closes it, so that the sheet is there again. */
export function NoDialog({ onClose }: { onClose: () => void }) {
  useEffect(onClose, [onClose])
  return null
}
