import type { FormInstance } from 'antd'
import { useEffect } from 'react'
import type { NewVisit, Visitor } from '@/api/types'
import type { Language } from '@/locales/languages'

/** Selects the language of a returning visitor's last visit, unless one was chosen. The office's default is not set. */
export function useLastLanguage(
  form: FormInstance<NewVisit>,
  visitor: Visitor | null | undefined,
  offered: readonly Language[],
) {
  const last = offered.slice(1).find((name) => name === visitor?.language)
  useEffect(() => {
    const set = (language: Language | undefined) => {
      if (!form.isFieldTouched('language'))
        form.setFields([{ name: 'language', value: language, touched: false }])
    }
    if (!last) return undefined
    set(last)
    return () => set(undefined)
  }, [form, last])
}
