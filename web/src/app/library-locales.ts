import type { Locale } from 'antd/es/locale'
import type { Language } from '@/locales/languages'
import { locale, messages } from '@/messages'

type Translated = Exclude<Language, 'en'>

/** Ant Design's texts. The Telugu ones are ours, because Ant Design has none. */
const antd: Record<Translated, () => Promise<{ default: Locale }>> = {
  hi: () => import('antd/es/locale/hi_IN'),
  kn: () => import('antd/es/locale/kn_IN'),
  ta: () => import('antd/es/locale/ta_IN'),
  te: () => import('@/locales/antd-te'),
  mr: () => import('antd/es/locale/mr_IN'),
}

/** The names of months and weekdays in Ant Design's calendars. */
const dayjs: Record<Translated, () => Promise<unknown>> = {
  hi: () => import('dayjs/locale/hi'),
  kn: () => import('dayjs/locale/kn'),
  ta: () => import('dayjs/locale/ta'),
  te: () => import('dayjs/locale/te'),
  mr: () => import('dayjs/locale/mr'),
}

let loaded: Locale | undefined

/** Ant Design's texts in the language of the page; undefined in English, which is its default. */
export const antdLocale = () => loaded

/**
 * Loads Ant Design's texts, which the web server preloads (build/catalogues.ts). The label for closing a dialog is
 * replaced: Ant Design's Hindi label reads "Closed", like the state of a desk, and its Tamil label is informal.
 */
export async function loadAntdLocale(): Promise<void> {
  if (locale === 'en' || loaded) return
  const texts = (await antd[locale]()).default
  loaded = { ...texts, global: { ...texts.global, close: messages.landing.notice.close } }
}

export async function loadDayjsLocale(): Promise<void> {
  if (locale !== 'en') await dayjs[locale]()
}
