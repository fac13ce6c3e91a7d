import { Link } from 'react-router'
import type { Office } from '@/api/office'
import { messages } from '@/messages'
import { Icon } from '@/ui/icon'
import { LanguageMenu } from '@/ui/language-menu'
import { telephone } from './telephone'
import './letter-head.css'

/** The header of the page, drawn as if printed on the cover. */
export function LetterHead({ office }: { office: Office }) {
  return (
    <header className="ld-head">
      <p className="ld-brand">{office.brand}</p>
      <p className="ld-head-area">
        <Icon name="pin" size={17} />
        {office.area}
      </p>
      <LanguageMenu offered={office.languages} />
      <a className="ld-head-phone" href={telephone(office.phone)}>
        <Icon name="phone" size={17} />
        {office.phone}
      </a>
      <Link className="ld-button ld-button-line ld-button-small" to="/login">
        {messages.landing.staffLogin}
      </Link>
    </header>
  )
}
