import { screen, within } from '@testing-library/react'
import type { Change, Effect } from '@/features/settings/data/document'
import { openAdmin } from './open-admin'
import { settingsOf } from './settings'

export function openSettings(section: string, answer = settingsOf()) {
  const opened = openAdmin(`office&page=settings&section=${section}`)
  opened.office.answer('GET /api/office/settings', () => answer)
  return opened
}

export type Opened = ReturnType<typeof openSettings>

export function answerPreview(
  { office }: Opened,
  section: string,
  changes: Change[],
  effects: Effect[] = [],
) {
  office.answer(`POST /api/office/settings/${section}/preview`, () => ({ preview: { changes, effects } }))
}

/** The server saves a section as the given version of the document. */
export function answerSave({ office }: Opened, section: string, version: number) {
  office.answer(`PUT /api/office/settings/${section}`, () => {
    const { value } = office.requests(`PUT /api/office/settings/${section}`).at(-1)?.body as { value: object }
    office.answer('GET /api/office/settings', () => settingsOf({ [section]: { version, value } }))
    return { office: { version, section, sectionVersion: version, value, effects: [] } }
  })
}

export const form = async (name: string) => within(await screen.findByRole('region', { name }))
