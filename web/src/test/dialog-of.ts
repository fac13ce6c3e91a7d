import { screen } from '@testing-library/react'

/** By the words of its title: under test Ant Design gives every dialog the same id, and with it one name. */
export async function dialogOf(title: string) {
  const heading = await screen.findByText(title, { selector: '.ant-modal-title' })
  const dialog = heading.closest<HTMLElement>('[role="dialog"]')
  if (!dialog) throw new Error(`${title} is not the title of a dialog`)
  return dialog
}
