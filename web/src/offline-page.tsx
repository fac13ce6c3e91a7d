import { renderToStaticMarkup } from 'react-dom/server'
import { messages } from '@/messages'
import { StateScreen } from '@/ui/state-screen'

const text = messages.line.offline

/** The title of the page without a network. */
export const title = text.title

/** The page that the service worker shows when no other page can be loaded. The build draws it. */
export const offlinePage = () =>
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
