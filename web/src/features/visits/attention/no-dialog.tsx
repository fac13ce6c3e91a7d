import { useEffect } from 'react'

/** Rendered in place of a dialog that has nothing to show. Closes the dialog, so that the sheet is shown again. */
export function NoDialog({ onClose }: { onClose: () => void }) {
  useEffect(onClose, [onClose])
  return null
}
