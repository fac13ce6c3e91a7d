import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { StaticRouter } from 'react-router'
import type { Office } from '@/api/office'
import { messages } from '@/messages'
import { Claims } from '@/screens/landing/claims'
import { Hero } from '@/screens/landing/hero'
import { LetterHead } from '@/screens/landing/letter-head'
import { SplitPage } from '@/ui/split-page'

type Shown = Pick<Office, 'brand' | 'area' | 'city' | 'phone' | 'claims' | 'services' | 'languages'>

/**
 * The first view of the public page and of the sign-in page, by path, before their scripts have loaded. It is rendered
 * at build time with placeholders that the web server fills in; the page replaces it.
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

/** The placeholder of a form, which has no fields: input would be lost when the page replaces it. */
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
