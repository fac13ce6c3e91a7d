import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { LedgerRow } from './ledger-list'
import { Ticket } from './ticket'
import { Token } from './token'

test('a token is one text with its letters, of every series', () => {
  render(<Token token="A-007" />)
  expect(screen.getByText('007', { exact: false }).textContent).toBe('A-007')
})

test('the other token of a visitor stands below the token: on chips, tickets and rows', () => {
  const { rerender, container } = render(<Token token="T-014" also="A-007" />)
  expect(container).toHaveTextContent('T-014 A-007')
  rerender(
    <Ticket token="T-014" also="A-007">
      Asha
    </Ticket>,
  )
  expect(container.querySelector('.ticket-number')).toHaveTextContent('T-014 A-007')
  rerender(
    <ul>
      <LedgerRow token="T-014" also="A-007" press={{ label: 'Show', act: () => undefined }} />
    </ul>,
  )
  expect(screen.getByRole('button')).toHaveTextContent('T-014 A-007')
})
