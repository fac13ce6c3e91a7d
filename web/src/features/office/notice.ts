import type { Office } from '@/api/office'

/** The privacy notice in a language, and the language of its text, which is English if there is no translation. */
export function noticeIn(notice: Office['notice'], language: string) {
  const translation = notice.translations?.[language]
  const { title, text, purposes = [], children } = translation ?? notice
  const paragraphs = [
    ...text.split(/\n{2,}/),
    ...purposes.map((purpose) => `${purpose.title}: ${purpose.text}`),
    ...(children ? [children] : []),
  ]
  return { title, paragraphs, language: translation ? language : 'en' }
}
