/** The milliseconds that a print waits for the QR code of the visitor's page, and for the slip itself. */
const patience = { code: 1500, slip: 10_000 }

/**
 * Prints the slip or the receipt of the page, once its fonts are loaded and its QR code is drawn. If no code is drawn
 * in time, the paper is printed without one.
 */
export async function printSlip(paper: '.token-slip' | '.receipt-slip' = '.token-slip'): Promise<void> {
  const begun = performance.now()
  const waits = (part: string, most: number) =>
    !document.querySelector(part) && performance.now() - begun < most
  while (waits(paper, patience.slip) || waits(`${paper} [data-slip-code]`, patience.code))
    await new Promise((later) => setTimeout(later, 30))
  if ('fonts' in document) await document.fonts.ready
  window.print()
}
