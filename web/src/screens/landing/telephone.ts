/** The tel: address of a phone number: only its plus sign and digits. */
export const telephone = (phone: string) => `tel:${phone.replace(/[^+0-9]/g, '')}`
