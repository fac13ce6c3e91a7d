import { useId } from 'react'
import { Icon, type IconName } from '@/ui/icon'

const turns = [-14, 8, -5, 13]
const icons: readonly IconName[] = ['books', 'stamp', 'building', 'tm']

/** Unprinted specks at fixed positions, so that the page always looks the same. */
const specks = Array.from({ length: 46 }, (_, index) => {
  const angle = (((index * 137.5) % 360) * Math.PI) / 180
  const radius = 8 + ((index * 53) % 86)
  return {
    cx: (100 + radius * Math.cos(angle)).toFixed(1),
    cy: (100 + radius * Math.sin(angle)).toFixed(1),
    r: 0.5 + ((index * 7) % 5) / 4,
  }
})

/** A certification, drawn as a rubber stamp. */
export function Seal({ words, place }: { words: string; place: number }) {
  const id = useId()
  const [above, below] = halves(words)
  return (
    <svg
      className="ld-seal"
      viewBox="0 0 200 200"
      role="img"
      aria-label={words}
      style={{ rotate: `${turns[place % turns.length] ?? 0}deg` }}
    >
      <defs>
        <path id={`${id}above`} d="M100 100m-71 0a71 71 0 0 1 142 0" />
        <path id={`${id}below`} d="M100 100m-83 0a83 83 0 0 0 166 0" />
        <mask id={`${id}print`}>
          <rect width="200" height="200" fill="#fff" />
          {specks.map((speck) => (
            <circle key={`${speck.cx} ${speck.cy}`} {...speck} />
          ))}
        </mask>
      </defs>
      <g mask={`url(#${id}print)`} fill="none" stroke="currentColor">
        <circle cx="100" cy="100" r="95" strokeWidth="4" />
        <circle cx="100" cy="100" r="88" strokeWidth="1.5" />
        <circle cx="100" cy="100" r="56" strokeWidth="2" />
        <Engraving path={`${id}above`} words={above} />
        <Engraving path={`${id}below`} words={below} />
        <g transform="translate(68 68) scale(2.67)">
          <Icon name={icons[place % icons.length] ?? 'stamp'} size={24} />
        </g>
      </g>
    </svg>
  )
}

/** The half circle holds about twenty capitals. Longer texts are smaller. */
function Engraving({ path, words }: { path: string; words: string }) {
  const size = Math.min(17.5, 350 / Math.max(words.length, 1))
  return (
    <text className="ld-seal-words" fontSize={size}>
      <textPath href={`#${path}`} startOffset="50%">
        {words.toUpperCase()}
      </textPath>
    </text>
  )
}

/** Splits a text at the space nearest to its end: "Trade Marks" over "Agents". */
function halves(words: string): [string, string] {
  const blank = words.lastIndexOf(' ')
  return blank < 0 ? [words, ''] : [words.slice(0, blank), words.slice(blank + 1)]
}
