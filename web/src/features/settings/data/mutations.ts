import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import { api, payload } from '@/api/client'
import { Fault } from '@/api/fault'
import { renewAfter } from '@/api/renew'
import { fill } from '@/messages'
import { messages } from '@/settings-messages'
import { addEntry, removeEntry } from '@/shelf'
import { sent, type Section, type SectionKey, type Settings, type Value } from './document'
import { settingsKeys } from './queries'
import { setupKey } from '@/features/settings/setup/query'

const text = messages.officeSettings

/** Whether a save was refused because another admin has changed the section since. */
export const isStale = (error: unknown) => error instanceof Fault && error.code === 'stale_version'

const undoKey = (section: SectionKey) => `settings/${section}`

const renew = (client: QueryClient) =>
  Promise.all([
    client.invalidateQueries({ queryKey: settingsKeys.settings }),
    client.invalidateQueries({ queryKey: settingsKeys.versions }),
    client.invalidateQueries({ queryKey: setupKey }),
  ])

const savedText = (section: SectionKey) => fill(text.saved, { section: text.sections[section] })

type Save = { section: SectionKey; value: Value; version: number }

/** Saves a section. `version` is that of the section on which the value is based. */
export const saveSection = mutationOptions({
  mutationKey: ['office', 'save'],
  mutationFn: async ({ section, value, version }: Save) =>
    (
      await payload(
        api.PUT('/api/office/settings/{section}', {
          params: { path: { section } },
          body: { value: sent(value), version },
        }),
      )
    ).office,
  onSuccess: async (saved, { section, value, version }, _onMutateResult, { client }) => {
    // A value that changes nothing makes no version.
    if (saved.sectionVersion !== version) offerUndo(client, section, saved.version, savedText(section))
    client.setQueryData<Settings>(
      settingsKeys.settings,
      (known) => known && withSaved(known, section, value, saved),
    )
    await renew(client)
  },
  onError: async (error, _save, _onMutateResult, { client }) => {
    if (isStale(error)) await client.invalidateQueries({ queryKey: settingsKeys.settings })
  },
  meta: {
    success: ({ sectionVersion }: Saved, { section, version }: Save) =>
      sectionVersion === version ? savedText(section) : undefined,
    // The form shows a conflict with both values.
    failure: (_save: Save, error: Error) => (isStale(error) ? undefined : text.saveFailed),
  },
})

type Saved = { version: number; sectionVersion: number }

function withSaved(known: Settings, key: SectionKey, value: Value, saved: Saved): Settings {
  const section = { ...known.sections[key], version: saved.sectionVersion, value } as Section
  return { ...known, version: saved.version, sections: { ...known.sections, [key]: section } }
}

type Restore = {
  section: SectionKey
  /** The version of the document whose value is restored. */
  from: number
  /** The version of the document that the admin has seen: a later change of the section refuses the restore. */
  version: number
  /** What the toast says after it. */
  said: string
}

const restore = ({ section, from, version }: Restore) =>
  payload(
    api.POST('/api/office/versions/{n}/restore', {
      params: { path: { n: String(from) } },
      body: { sections: [section], version },
    }),
  )

/** Restores a section as it was in a version of the document. */
export const restoreSection = mutationOptions({
  mutationKey: ['office', 'restore'],
  mutationFn: restore,
  onSuccess: ({ office }, { section, version, said }, _onMutateResult, { client }) => {
    if (office.version !== version) offerUndo(client, section, office.version, said)
  },
  onSettled: (_answer, error, _restore, _onMutateResult, { client }) => renewAfter(error, renew(client)),
  meta: {
    // The shelf shows a change. A value that is there already makes no version.
    success: ({ office }: { office: { version: number } }, { section, version }: Restore) =>
      office.version === version ? savedText(section) : undefined,
    failure: text.restoreFailed,
  },
})

/** Undoes a change of a section: restores it as it was before. */
const undoChange = mutationOptions({
  mutationKey: ['office', 'undo'],
  mutationFn: restore,
  onSettled: (_answer, error, _restore, _onMutateResult, { client }) => renewAfter(error, renew(client)),
  meta: {
    success: (_answer: unknown, { said }: Restore) => said,
    failure: text.undoFailed,
  },
})

/** The versions of the document at which a change can be undone, by section. */
const undoable = new Map<SectionKey, number>()

/** Adds to the shelf an entry that undoes a change. It stays until the section changes again. */
function offerUndo(client: QueryClient, section: SectionKey, version: number, sentence: string) {
  const said = fill(text.undone, { section: text.sections[section] })
  undoable.set(section, version)
  addEntry({
    key: undoKey(section),
    text: sentence,
    sentence,
    until: Number.POSITIVE_INFINITY,
    take: () =>
      client
        .getMutationCache()
        .build(client, undoChange)
        .execute({ section, from: version - 1, version, said }),
  })
}

/** Takes back the offers to undo changes of sections that have changed since. */
export function withdrawUndo({ sections }: Settings) {
  for (const [section, version] of undoable) {
    if (sections[section].version <= version) continue
    undoable.delete(section)
    removeEntry(undoKey(section))
  }
}
