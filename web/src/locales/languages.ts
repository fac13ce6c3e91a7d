/**
 * The languages of the screens by their BCP 47 tag, each with its own name. A language is a draft until a native reader
 * has signed it in REVIEW.md.
 */
export const languages = {
  en: { name: 'English', draft: false },
  hi: { name: 'हिन्दी', draft: true },
  kn: { name: 'ಕನ್ನಡ', draft: true },
  ta: { name: 'தமிழ்', draft: true },
  te: { name: 'తెలుగు', draft: true },
  mr: { name: 'मराठी', draft: true },
} as const

export type Language = keyof typeof languages
