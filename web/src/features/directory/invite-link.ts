import type { QueryClient } from '@tanstack/react-query'
import type { Account } from '@/api/types'
import { directoryKeys } from './queries'

type Link = { url: string; until: string | null }
type Invited = Pick<Account, 'id' | 'invitedUntil'>

const keyOf = (id: string) => [...directoryKeys.inviteLinks, id]

/** Keeps the link of an answer, because the server stores only its hash. Returns the link. */
export function keepLink(client: QueryClient, answer: { data: Invited; invite_url: string }): string {
  const { data, invite_url: url } = answer
  client.setQueryData<Link>(keyOf(data.id), { url, until: data.invitedUntil })
  return url
}

/** The link of an invitation, if it was made in this tab and is still the last one. */
export function linkOf(client: QueryClient, { id, invitedUntil }: Invited): string | undefined {
  const link = client.getQueryData<Link>(keyOf(id))
  return link?.until === invitedUntil ? link.url : undefined
}
