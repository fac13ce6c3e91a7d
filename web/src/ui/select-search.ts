import type { ReactNode } from 'react'
import { findsWord, folded } from '@/find-word'

type Option = { label?: ReactNode; search?: string | undefined }

/** Typing in a select finds words of an option's label, or of its `search`, in any script. */
export const searchByWord = {
  filterOption: (typed: string, option?: Option) => {
    const text = option?.search ?? option?.label
    return typeof text === 'string' && findsWord(folded(typed).trim(), folded(text))
  },
}
