import { asAdmin } from './people'

/** The sections of the office's settings, each with its version and its value. */
export type Settings = {
  office: { version: number; sections: Record<string, { version: number; value: object }> }
}

export const readSettings = () => asAdmin<Settings>('GET', '/api/office/settings')

/** Puts the sections back as they were before a test, so that other tests find the usual office. */
export async function putBack(before: Settings, sections: string[]) {
  const now = await readSettings()
  for (const section of sections) {
    const { value = {} } = before.office.sections[section] ?? {}
    const { version = 1 } = now.office.sections[section] ?? {}
    await asAdmin('PUT', `/api/office/settings/${section}`, { value, version })
  }
}
