import type { Office } from './office'

/** The office document that came with the page itself: there before any call is answered. */
export function pageOffice(): Office {
  const block = document.getElementById('office')
  if (!block) throw new Error('index.html has no office document')
  return JSON.parse(block.textContent) as Office
}
