import { useQuery } from '@tanstack/react-query'
import { messages } from '@/admin-messages'
import { CostsPanel } from '@/features/messages/costs-panel'
import { MessagesPanel } from '@/features/messages/messages-panel'
import { useOffice } from '@/features/office/use-office'
import { messagesQuery } from '@/features/visits/data/visitor-link'
import { Poster } from '@/features/visits/slips/poster'
import { Loaded } from './loaded'

/** The notifications to visitors, their costs, and the poster for the page on which visitors ask for a token. */
export function MessagesPage() {
  const { brand, languages = [], checkIn } = useOffice()
  const told = useQuery(messagesQuery)
  const text = messages.visitorPages.messages
  return (
    <>
      <Loaded query={told} failure={text.loadFailed} title={text.title}>
        {(state) => <MessagesPanel state={state} />}
      </Loaded>
      {told.data?.costs ? <CostsPanel costs={told.data.costs} /> : null}
      <Poster brand={brand} languages={languages} on={checkIn === 'confirm'} />
    </>
  )
}
