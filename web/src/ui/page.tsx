import type { ReactNode } from 'react'
import './page.css'

/** The sheet under the top bar. */
export function Page({ children }: { children: ReactNode }) {
  return (
    <main className="page" id="content">
      {children}
    </main>
  )
}

type HeadProps = { title: string; badges?: ReactNode; aside?: ReactNode }

/** The page's title with its badges; a figure may stand at the right. */
export function PageHead({ title, badges, aside }: HeadProps) {
  return (
    <div className="page-head">
      <h1>{title}</h1>
      {badges}
      {aside ? <div className="page-aside">{aside}</div> : null}
    </div>
  )
}

/** A number and what it counts. */
export function PageCount({ value, unit }: { value: number | undefined; unit: string }) {
  return (
    <p className="page-count">
      <b>{value ?? '-'}</b> {unit}
    </p>
  )
}
