/**
 * Finds names across scripts: `sunita` finds सुनीता. A word is reduced to its consonants in classes that all
 * scripts share. Tamil writes p and b, t and d, k and g, s and ch with one letter each, so each pair is a
 * class. Vowels are left out, except for the first sound of a word.
 */

/**
 * The class of each letter, by its offset in the Unicode block of its script. Indian scripts have the same letters at
 * the same offsets.
 */
const indic = new Map<number, string>()
const letters = (from: number, to: number, sound: string) => {
  for (let place = from; place <= to; place++) indic.set(place, sound)
}
letters(0x05, 0x06, 'A')
letters(0x07, 0x08, 'I')
letters(0x09, 0x0a, 'U')
letters(0x0b, 0x0c, 'r')
letters(0x0d, 0x10, 'I')
letters(0x11, 0x14, 'U')
letters(0x15, 0x18, 'k')
letters(0x19, 0x19, 'n')
letters(0x1a, 0x1d, 's')
letters(0x1e, 0x1e, 'n')
letters(0x1f, 0x22, 't')
letters(0x23, 0x23, 'n')
letters(0x24, 0x27, 't')
letters(0x28, 0x29, 'n')
letters(0x2a, 0x2d, 'p')
letters(0x2e, 0x2e, 'm')
letters(0x2f, 0x2f, 'y')
letters(0x30, 0x31, 'r')
letters(0x32, 0x34, 'l')
letters(0x35, 0x35, 'v')
letters(0x36, 0x38, 's')
letters(0x43, 0x44, 'r')
letters(0x01, 0x01, 'n')
letters(0x02, 0x02, 'N')

/** Spellings that do not sound like their letters. */
const indicSpellings: readonly [RegExp, string][] = [
  [/[डढ]\u093c/g, 'र'],
  [/\u0902ह$/, 'ंघ'],
  [/ज्ञ/g, 'क्न'],
  [/ಜ್ಞ/g, 'ಕ್ನ'],
  [/జ్ఞ/g, 'క్న'],
  [/ட்ச/g, 'க்ஷ'],
]

/** The sounds of Latin spellings, in the order in which they are replaced. */
const latin: readonly [RegExp, string][] = [
  [/^(gy|gn|jn|dny)/, 'kn'],
  [/ao$/, 'v'],
  [/^(aa?)(?![iy])/, 'A'],
  [/^(ai|ay|ee|e|i)/, 'I'],
  [/^(au|aw|oo|ou|o|u)/, 'U'],
  [/ksh|x/g, 'ks'],
  [/zh/g, 'l'],
  [/c(?=[eiy])/g, 's'],
  [/chh?|sh?|jh?|z/g, 's'],
  [/[kgqc]/g, 'k'],
  [/[td]/g, 't'],
  [/[pbf]/g, 'p'],
  [/w/g, 'v'],
  [/[aeiouh]/g, ''],
]

const blocks = { Deva: 0x900, Taml: 0xb80, Telu: 0xc00, Knda: 0xc80 } as const

type Script = keyof typeof blocks | 'Latn'

/** The script of a word; undefined for an unknown script, and for a Latin word with digits or hyphens. */
export function scriptOf(word: string): Script | undefined {
  if (/^[\p{Script=Latin}\p{M}.'’]+$/u.test(word)) return 'Latn'
  const code = word.codePointAt(0) ?? 0
  const names = Object.keys(blocks) as (keyof typeof blocks)[]
  return names.find((name) => code >= blocks[name] && code < blocks[name] + 0x80)
}

const shortened = (sounds: string) =>
  sounds
    .replace(/N(?=[pm]|$)/g, 'm')
    .replace(/N/g, 'n')
    .replace(/(?<!^)[AIUy]/g, '')
    .replace(/(.)\1+/g, '$1')

/**
 * The skeletons of a word. A Tamil word may have two: a single க between vowels may also stand for h, as in மகேஷ்,
 * Mahesh.
 */
export function skeletonsOf(word: string): string[] {
  const script = scriptOf(word)
  if (script === undefined) return []
  const text = word.normalize('NFC').toLowerCase()
  if (script === 'Latn') {
    const plain = text.normalize('NFD').replace(/[^a-z]/g, '')
    return [shortened(latin.reduce((sounds, [spelling, sound]) => sounds.replace(spelling, sound), plain))]
  }
  const spelt = indicSpellings.reduce(
    (letters, [spelling, letter]) => letters.replace(spelling, letter),
    text,
  )
  const variants = script === 'Taml' ? [spelt, spelt.replace(/(?<=[^்])க(?!்)/g, '')] : [spelt]
  return [...new Set(variants.map((variant) => shortened(soundsOf(variant, blocks[script]))))]
}

const soundsOf = (word: string, block: number) =>
  Array.from(word, (letter) => indic.get((letter.codePointAt(0) ?? 0) - block) ?? '').join('')

/**
 * Whether a typed word sounds like the beginning of a word in another script. A single sound matches a whole word
 * only.
 */
export function soundsLike(typed: string, word: string): boolean {
  if (scriptOf(typed) === scriptOf(word)) return false
  const sought = skeletonsOf(typed)
  return skeletonsOf(word).some((skeleton) =>
    sought.some((start) =>
      start.length > 1 ? skeleton.startsWith(start) : start !== '' && start === skeleton,
    ),
  )
}
