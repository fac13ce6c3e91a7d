import { asAdmin } from './people'

/** The sections of the office's settings, each with its version and its value. */
export type Settings = {
  office: { version: number; sections: Record<string, { version: number; value: object }> }
}

export const readSettings = () => asAdmin<Settings>('GET', '/api/office/settings')

/** Puts the changed sections back as they were before a test, so that other tests find the usual office. */
export async function putBack(before: Settings) {
  const now = await readSettings()
  for (const [section, { version }] of Object.entries(now.office.sections)) {
    const was = before.office.sections[section]
    if (was && was.version !== version)
      await asAdmin('PUT', `/api/office/settings/${section}`, { value: was.value, version })
  }
}
