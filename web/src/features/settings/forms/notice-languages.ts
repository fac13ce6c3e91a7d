import type { Notice } from '@/features/settings/data/document'

export type Purpose = NonNullable<Notice['purposes']>[number]

export const purposeKeys = ['serve', 'messages', 'later'] as const satisfies readonly Purpose['key'][]

/** The languages in which a person may ask for the notice, by BCP 47 tag: those of the Eighth Schedule. */
export const noticeLanguages =
  'as bn brx doi gu hi kn ks kok mai ml mni mr ne or pa sa sat sd ta te ur'.split(' ')
