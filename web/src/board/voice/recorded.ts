import type { components } from '@/api/directory'
import { ask } from '@/board/server'
import type { Manifest } from './manifest'

type Answer = components['schemas']['VoiceClipsAnswer']

export type RecordedPack = Pick<components['schemas']['VoicePack'], 'language' | 'version'>

export const listRecorded = async (token: string): Promise<RecordedPack[]> =>
  (await ask<components['schemas']['VoicePacksAnswer']>('/api/office/voice', token)).packs.map(
    ({ language, version }) => ({ language, version }),
  )

const cacheName = 'board-voice'
const addressOf = ({ language, version }: RecordedPack) => `/voice/recorded/${language}?${version}`

/** Reads a recorded pack from the browser's storage, else from the server. */
export async function readRecorded(
  token: string,
  pack: RecordedPack,
): Promise<{ manifest: Manifest; bytes: ArrayBuffer }> {
  const cache = await caches.open(cacheName).catch(() => null)
  const kept = await cache?.match(addressOf(pack))
  if (kept) return contentOf((await kept.json()) as Answer)
  const answer = await ask<Answer>(`/api/office/voice/${pack.language}`, token)
  await cache?.put(addressOf(answer.pack), new Response(JSON.stringify(answer)))
  return contentOf(answer)
}

/** Deletes the stored packs that the office no longer has, because a voice is personal data. */
export async function dropOthers(packs: readonly RecordedPack[]) {
  const cache = await caches.open(cacheName).catch(() => null)
  if (!cache) return
  const wanted = packs.map(addressOf)
  const old = (await cache.keys()).filter(({ url }) => {
    const { pathname, search } = new URL(url)
    return pathname.startsWith('/voice/recorded/') && !wanted.includes(pathname + search)
  })
  await Promise.all(old.map((key) => cache.delete(key)))
}

const contentOf = ({ clips, bytes }: Answer) => ({
  manifest: { clips: clips as unknown as Manifest['clips'] },
  bytes: Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0)).buffer,
})
