import { screen } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'

/** The line that opens the folded fields of a registration. */
export const moreLine = () => screen.findByRole('button', { name: /^More: / })

export async function openMore(person: UserEvent) {
  const line = await moreLine()
  if (line.getAttribute('aria-expanded') === 'false') await person.click(line)
}
