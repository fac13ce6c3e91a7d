import type { BrowserContext } from '@playwright/test'

/** The names of fields that contain texts of the office, its staff and its visitors. */
const fields = new RegExp(
  `^(${[
    String.raw`\w*name`,
    'label',
    String.raw`\w*notes?`,
    'area',
    'city',
    'address',
    'brand',
    'specialization',
    'description',
    'documents',
    'title',
    'text',
    'days',
    'message',
    'answer',
    'details',
    'service',
    'lastService',
    'by',
    String.raw`\w+By`,
    'assignedConsultant',
    'form',
    'penalty',
    'no',
    'acknowledgement',
    'reason',
    'consultant',
    'source',
    String.raw`\d+`,
  ].join('|')})$`,
)

/**
 * Gathers the texts of the office's data that pages receive. In records of the audit trail, every field counts as data.
 */
export function gatherReceived(context: BrowserContext): string[] {
  const texts: string[] = []
  const gather = (key: string, value: unknown, all: boolean) => {
    if (typeof value === 'string' && (all || fields.test(key))) texts.push(value)
    if (typeof value === 'object' && value !== null)
      for (const [inner, content] of Object.entries(value)) gather(inner, content, all)
  }
  context.on('response', async (response) => {
    const url = response.url()
    if (!url.includes('/api/') || response.status() >= 400 || url.includes('/api/stream')) return
    // If the page is left before an answer is read, the body of the answer is lost.
    const answer = (await response.json().catch(() => undefined)) as unknown
    gather('', answer, url.includes('/audit'))
  })
  return texts
}
