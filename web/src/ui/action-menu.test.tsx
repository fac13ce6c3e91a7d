import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { ActionMenu } from './action-menu'

const items = [{ key: 'hold', label: 'Hold...' }]
const itemHasFocus = () =>
  waitFor(() => expect(document.activeElement).toBe(screen.getByRole('menuitem', { name: 'Hold...' })))

test('Escape closes the menu, and its button has the focus', async () => {
  const person = userEvent.setup()
  render(
    <ActionMenu menu={{ items }}>
      <button>More</button>
    </ActionMenu>,
  )
  await person.click(screen.getByRole('button', { name: 'More' }))
  await itemHasFocus()
  await person.keyboard('{Escape}')
  await waitFor(() => expect(screen.getByRole('button', { name: 'More' })).toHaveFocus())
})

test('a button that a click does not focus has the focus after its menu', async () => {
  render(
    <ActionMenu menu={{ items }}>
      <button>More</button>
    </ActionMenu>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'More' }))
  await itemHasFocus()
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.getByRole('button', { name: 'More' })).toHaveFocus())
})

test('Enter chooses an action, and does not press what has the focus next', async () => {
  const person = userEvent.setup()
  const onChoose = vi.fn()
  render(
    <ActionMenu menu={{ items, onClick: onChoose }}>
      <button>More</button>
    </ActionMenu>,
  )
  await person.click(screen.getByRole('button', { name: 'More' }))
  await itemHasFocus()
  // The menu reads the key's number, which user-event does not send.
  const isLeftToBrowser = fireEvent.keyDown(screen.getByRole('menuitem'), { key: 'Enter', keyCode: 13 })
  expect(isLeftToBrowser).toBe(false)
  expect(onChoose).toHaveBeenCalledOnce()
  expect(screen.getByRole('button', { name: 'More' })).toHaveFocus()
})

/** A row that opens its menu by Enter. */
function Row() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <p tabIndex={0} onKeyDown={({ key }) => key === 'Enter' && setOpen(true)}>
        T-014
      </p>
      <ActionMenu menu={{ items }} open={open} onOpenChange={setOpen}>
        <button>More</button>
      </ActionMenu>
    </>
  )
}

test('a row that opened its menu by a key has the focus after it', async () => {
  const person = userEvent.setup()
  render(<Row />)
  await person.tab()
  await person.keyboard('{Enter}')
  await itemHasFocus()
  await person.keyboard('{Escape}')
  await waitFor(() => expect(screen.getByText('T-014')).toHaveFocus())
})
