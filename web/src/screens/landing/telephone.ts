/** The tel: address of a phone number, without blanks and brackets. */
export const telephone = (phone: string) => `tel:${phone.replace(/[^+0-9]/g, '')}`
