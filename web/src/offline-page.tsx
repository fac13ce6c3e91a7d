import { renderToStaticMarkup } from 'react-dom/server'
import type { PublicTexts } from '@/messages'
import { StateScreen } from '@/ui/state-screen'

/** The page that the service worker shows when no other page can be loaded. The build draws it in each language. */
export const offlinePage = (text: PublicTexts['connection']['offline']) =>
  renderToStaticMarkup(
    <StateScreen
      title={text.title}
      text={text.text}
      kicker={text.kicker}
      ticket={text.ticket}
      action={
        <button type="button" className="state-button">
          {text.again}
        </button>
      }
    />,
  )
