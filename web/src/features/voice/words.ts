import type { Language } from '@/locales/languages'

/** A clip of a pack: its name, and what is said. */
export type Word = { clip: string; text: string }

/** The words and the letters, as in tools/voice/words.tsv. */
const named: Record<Language, Readonly<Record<string, string>>> = {
  en: {
    token: 'token',
    counter: 'counter',
    room: 'room',
    LA: 'A',
    LB: 'B',
    LC: 'C',
    LD: 'D',
    LE: 'E',
    LF: 'F',
    LG: 'G',
    LH: 'H',
  },
  hi: {
    token: 'टोकन',
    counter: 'काउंटर',
    room: 'कमरा',
    LA: 'ए',
    LB: 'बी',
    LC: 'सी',
    LD: 'डी',
    LE: 'ई',
    LF: 'एफ़',
    LG: 'जी',
    LH: 'एच',
  },
  kn: {
    token: 'ಟೋಕನ್',
    counter: 'ಕೌಂಟರ್',
    room: 'ಕೊಠಡಿ',
    LA: 'ಎ',
    LB: 'ಬಿ',
    LC: 'ಸಿ',
    LD: 'ಡಿ',
    LE: 'ಇ',
    LF: 'ಎಫ್',
    LG: 'ಜಿ',
    LH: 'ಎಚ್',
  },
  ta: {
    token: 'டோக்கன்',
    counter: 'கவுண்டர்',
    room: 'அறை',
    LA: 'ஏ',
    LB: 'பி',
    LC: 'சி',
    LD: 'டி',
    LE: 'ஈ',
    LF: 'எஃப்',
    LG: 'ஜி',
    LH: 'எச்',
  },
  te: {
    token: 'టోకెన్',
    counter: 'కౌంటర్',
    room: 'గది',
    LA: 'ఎ',
    LB: 'బి',
    LC: 'సి',
    LD: 'డి',
    LE: 'ఇ',
    LF: 'ఎఫ్',
    LG: 'జి',
    LH: 'హెచ్',
  },
  mr: {
    token: 'टोकन',
    counter: 'काउंटर',
    room: 'खोली',
    LA: 'ए',
    LB: 'बी',
    LC: 'सी',
    LD: 'डी',
    LE: 'ई',
    LF: 'एफ',
    LG: 'जी',
    LH: 'एच',
  },
}

const hundreds = 9
const numbers = 100

/** The words of a complete pack, in the order in which they are recorded. */
export function wordsOf(language: Language): Word[] {
  const words = Object.entries(named[language]).map(([clip, text]) => ({ clip, text }))
  return [
    ...Array.from({ length: numbers }, (_, number) => ({ clip: `${number}`, text: `${number}` })),
    ...Array.from({ length: hundreds }, (_, index) => ({ clip: `h${index + 1}`, text: `${index + 1}00` })),
    ...words,
  ]
}
