import { createContext, use, useRef, type ReactNode } from 'react'
import { messages, plural, grouped } from '@/messages'
import { Filled } from './filled'
import { useSteady } from './steady'
import './page.css'

/** The content of a page below the top bar. */
export function Page({ children }: { children: ReactNode }) {
  const sheet = useRef<HTMLElement>(null)
  useSteady(sheet)
  return (
    <main className="page" id="content" ref={sheet}>
      {children}
    </main>
  )
}

/** A hint beside the titles of all pages inside the provider. */
export const PageNotice = createContext<ReactNode>(null)

type HeadProps = { title: string; badges?: ReactNode; aside?: ReactNode }

/** The page's title with its badges, the hint of `PageNotice`, and an optional figure on the right. */
export function PageHead({ title, badges, aside }: HeadProps) {
  const notice = use(PageNotice)
  return (
    <div className="page-head">
      <h1 tabIndex={-1}>{title}</h1>
      {badges}
      {notice}
      {aside ? <div className="page-aside">{aside}</div> : null}
    </div>
  )
}

type Counted = `${string}{count}${string}`

type CountProps = {
  /** Undefined while it loads. */
  value: number | undefined
  unit: { one: Counted; other: Counted }
}

export function PageCount({ value, unit }: CountProps) {
  return (
    <p className="page-count">
      <Filled
        message={plural(unit, value ?? 0)}
        values={{ count: <b>{grouped(value) ?? messages.records.nothing}</b> }}
      />
    </p>
  )
}
