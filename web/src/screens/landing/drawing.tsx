import drawings from '@/assets/drawings.svg'
import './drawing.css'

/** One of the ink drawings; they lie in a file of their own, which the page may wait for. */
export function Drawing({ name }: { name: 'files' | 'checklist' | 'lamp' }) {
  return (
    <svg className="drawing" viewBox="0 0 220 132" aria-hidden="true">
      <use href={`${drawings}#${name}`} />
    </svg>
  )
}
