/** The address that makes a phone call: blanks and brackets are for readers only. */
export const telephone = (phone: string) => `tel:${phone.replace(/[^+0-9]/g, '')}`
