import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { StaticRouter } from 'react-router'
import type { Office } from '@/features/office/office'
import { messages } from '@/messages'
import { Claims } from '@/screens/landing/claims'
import { Hero } from '@/screens/landing/hero'
import { LetterHead } from '@/screens/landing/letter-head'
import { SplitPage } from '@/ui/split-page'

type Shown = Pick<Office, 'brand' | 'area' | 'city' | 'phone' | 'claims' | 'services'>

/**
 * What the two public pages show before their scripts are there, by path. It is drawn at build time, of an office whose
 * words are marks that the web server fills in; the page itself takes its place.
 */
export const shells = (office: Shown): Record<string, string> => ({
  '/': draw(
    '/',
    <div className="ld">
      <LetterHead office={office as Office} />
      <main>
        <Hero office={office as Office} />
        <Claims claims={office.claims} />
      </main>
    </div>,
  ),
  '/login': draw(
    '/login',
    <SplitPage office={office} title={messages.signIn.title} subtitle={messages.signIn.subtitle}>
      <FormToCome labels={[messages.auth.email, messages.auth.password]} button={messages.auth.signIn} />
    </SplitPage>,
  ),
})

const draw = (path: string, page: ReactNode) =>
  renderToStaticMarkup(<StaticRouter location={path}>{page}</StaticRouter>)

/** The place of a form: nothing can be typed that would be lost. */
function FormToCome({ labels, button }: { labels: readonly string[]; button: string }) {
  return (
    <div className="form-to-come" aria-hidden="true">
      {labels.map((label) => (
        <p key={label}>
          {label}
          <i />
        </p>
      ))}
      <b>{button}</b>
    </div>
  )
}
