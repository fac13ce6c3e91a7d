import { expect } from '@playwright/test'

type Message = { subject: string; text: string }

/** Every mail to an address, oldest first. */
export async function mailsTo(address: string): Promise<Message[]> {
  const box = process.env.BAARI_MAIL
  if (!box) throw new Error('BAARI_MAIL is not set: name the address of the mail box that `baari up` prints.')
  const answer = await fetch(`${box}/messages?to=${encodeURIComponent(address)}`)
  return (await answer.json()) as Message[]
}

/** The first link of the newest mail to an address, awaited. */
export async function linkInMailTo(address: string): Promise<string> {
  let link: string | undefined
  await expect(async () => {
    const messages = await mailsTo(address)
    link = /https?:\/\/\S+/.exec(messages.at(-1)?.text ?? '')?.[0]
    expect(link).toBeDefined()
  }).toPass({ timeout: 10_000 })
  return link ?? ''
}
