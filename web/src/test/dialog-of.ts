import { screen } from '@testing-library/react'

/** Finds a dialog by its title: under test Ant Design gives all dialogs the same id, and so the same name. */
export async function dialogOf(title: string) {
  const heading = await screen.findByText(title, { selector: '.ant-modal-title' })
  const dialog = heading.closest<HTMLElement>('[role="dialog"]')
  if (!dialog) throw new Error(`${title} is not the title of a dialog`)
  return dialog
}
