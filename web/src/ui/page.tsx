import { useRef, type ReactNode } from 'react'
import { useSteady } from './steady'
import './page.css'

/** The page's panel below the top bar. */
export function Page({ children }: { children: ReactNode }) {
  const sheet = useRef<HTMLElement>(null)
  useSteady(sheet)
  return (
    <main className="page" id="content" ref={sheet}>
      {children}
    </main>
  )
}

type HeadProps = { title: string; badges?: ReactNode; aside?: ReactNode }

/** The page's title with its badges, and an optional figure on the right. */
export function PageHead({ title, badges, aside }: HeadProps) {
  return (
    <div className="page-head">
      <h1>{title}</h1>
      {badges}
      {aside ? <div className="page-aside">{aside}</div> : null}
    </div>
  )
}

/** A count with its label. */
type CountProps = { value: number | undefined; unit: { one: string; many: string } }

export function PageCount({ value, unit }: CountProps) {
  return (
    <p className="page-count">
      <b>{value ?? '-'}</b> {value === 1 ? unit.one : unit.many}
    </p>
  )
}
