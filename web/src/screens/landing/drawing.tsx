import drawings from '@/assets/drawings.svg'
import './drawing.css'

/** One of the ink drawings, which are in a separate file that may load later. */
export function Drawing({ name }: { name: 'files' | 'checklist' | 'lamp' }) {
  return (
    <svg className="drawing" viewBox="0 0 220 132" aria-hidden="true">
      <use href={`${drawings}#${name}`} />
    </svg>
  )
}
