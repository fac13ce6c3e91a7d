import type { Office } from '@/api/office'

/** The office document embedded in the page, available before any response. */
export function pageOffice(): Office {
  const block = document.getElementById('office')
  if (!block) throw new Error('index.html has no office document')
  return JSON.parse(block.textContent) as Office
}
