import type { BrowserContext } from '@playwright/test'

/** Fields of answers that are texts of the office, of its staff and of its visitors. */
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

/** Gathers the texts of the office's data that pages receive; records of the audit are data as a whole. */
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
    // A page that is left has no body any more.
    const answer = (await response.json().catch(() => undefined)) as unknown
    gather('', answer, url.includes('/audit'))
  })
  return texts
}
