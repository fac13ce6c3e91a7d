import { expect, type Page } from '@playwright/test'

type Visit = {
  id: string
  token: string
  name: string
  status: string
}

type AuditRecord = {
  action: string
  user: { name: string; role: string | null }
}

/** Functions that call the product API with the session of the page's user. */
export function api(page: Page) {
  const get = async <T>(path: string) => {
    const token = await page.evaluate(() => localStorage.getItem('baari.token'))
    const answer = await page.request.get(path, { headers: { Authorization: `Bearer ${token}` } })
    expect(answer.status(), path).toBe(200)
    return (await answer.json()) as T
  }
  return {
    today: () => get<{ visits: Visit[] }>('/api/visits/today'),
    pending: () => get<{ visits: Visit[] }>('/api/visits/pending-approval'),
    audit: (visit: string) =>
      get<{ audit_records: AuditRecord[] }>(`/api/analytics/audit?entity=visit&entity_id=${visit}&limit=100`),
  }
}
