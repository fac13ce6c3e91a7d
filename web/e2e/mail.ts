import { expect } from '@playwright/test'

type Message = { subject: string; text: string }

/** All mails to an address, oldest first. */
export async function mailsTo(address: string): Promise<Message[]> {
  const box = process.env.BAARI_MAIL
  if (!box) throw new Error('BAARI_MAIL is not set: name the address of the mail box that `baari up` prints.')
  const answer = await fetch(`${box}/messages?to=${encodeURIComponent(address)}`)
  return (await answer.json()) as Message[]
}

/**
 * Waits until the first link of a mail to the address has this path. Returns the link of the newest such mail. If
 * `before` is given, the link of an earlier mail, the function waits for a newer mail.
 */
export async function linkInMailTo(address: string, path = '', before?: string): Promise<string> {
  let link: string | undefined
  await expect(async () => {
    const messages = await mailsTo(address)
    const links = messages.map(({ text }) => /https?:\/\/\S+/.exec(text)?.[0])
    link = links.findLast((one) => one?.includes(path))
    expect(link).toBeDefined()
    expect(link).not.toBe(before)
  }).toPass()
  return link ?? ''
}
