import { expect } from '@playwright/test'

type Message = { subject: string; text: string }

/** The first link of the newest mail to an address, awaited. */
export async function linkInMailTo(address: string): Promise<string> {
  const box = process.env.BAARI_MAIL
  if (!box) throw new Error('BAARI_MAIL is not set: name the address of the mail box that `baari up` prints.')
  let link: string | undefined
  await expect(async () => {
    const answer = await fetch(`${box}/messages?to=${encodeURIComponent(address)}`)
    const messages = (await answer.json()) as Message[]
    link = /https?:\/\/\S+/.exec(messages.at(-1)?.text ?? '')?.[0]
    expect(link).toBeDefined()
  }).toPass({ timeout: 10_000 })
  return link ?? ''
}
