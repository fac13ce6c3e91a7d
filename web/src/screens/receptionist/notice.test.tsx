import { screen, waitFor, within } from '@testing-library/react'
import office from 'virtual:office'
import { expect, test, vi } from 'vitest'
import type { Bodies } from '@/api/types'
import { dialogOf } from '@/test/dialog-of'
import { userOf } from '@/test/fixtures'
import { openOffice } from '@/test/office'
import { openMore } from '@/test/open-more'
import { renderApp } from '@/test/render-app'

const kannada = office.notice.translations?.kn

function openDesk() {
  const office = openOffice({ user: userOf('reception') })
  return { office, ...renderApp('/dashboard/receptionist') }
}

const received: Bodies['PrivacyRequest'] = {
  id: 'r1',
  kind: 'access',
  phone: '98******45',
  text: 'What do you hold?',
  state: 'open',
  receivedAt: '2026-11-20T04:30:00.000Z',
  receivedBy: 'Divya',
  dueAt: '2026-12-20T04:30:00.000Z',
  overdue: false,
  answer: '',
  answeredAt: null,
  answeredBy: null,
  version: 1,
}

async function noticeOf(title: string) {
  const heading = await screen.findByText(title, { selector: '.ant-modal-title *' })
  const dialog = heading.closest<HTMLElement>('[role="dialog"]')
  if (!dialog) throw new Error(`${title} is not the title of a dialog`)
  return dialog
}

const line = () => screen.findByRole('button', { name: /^Privacy notice: / })

test('the notice opens in the language of the visitor, and focus returns to its line', async () => {
  const { person } = openDesk()
  await openMore(person)
  expect(await line()).toHaveTextContent('Privacy notice: English')
  await person.click(screen.getByLabelText("Visitor's language"))
  await person.click(await screen.findByText('ಕನ್ನಡ', { selector: '.ant-select-item-option-content *' }))
  expect(await line()).toHaveTextContent('ಕನ್ನಡ')
  await person.click(await line())
  const dialog = await noticeOf(kannada?.title ?? '')
  const text = dialog.querySelector('.notice-text')
  expect(text).toHaveAttribute('lang', 'kn')
  for (const paragraph of kannada?.text.split('\n\n') ?? []) expect(text).toHaveTextContent(paragraph)
  expect(text).toHaveTextContent(office.notice.contact)
  await person.click(within(dialog).getByRole('button', { name: 'Close' }))
  await waitFor(async () => expect(await line()).toHaveFocus())
})

test('another language of the notice is chosen and printed', async () => {
  const print = vi.spyOn(window, 'print').mockReturnValue()
  const { person } = openDesk()
  await openMore(person)
  await person.click(await screen.findByLabelText("Visitor's language"))
  await person.click(await screen.findByText('தமிழ்', { selector: '.ant-select-item-option-content *' }))
  await person.click(await line())
  const dialog = await noticeOf(office.notice.translations?.ta?.title ?? '')
  const sheet = () => document.querySelector('body > .notice-sheet')
  expect(sheet()).toHaveAttribute('lang', 'ta')
  for (const { text } of office.notice.translations?.ta?.purposes ?? [])
    expect(sheet()).toHaveTextContent(text)
  await person.click(within(dialog).getByLabelText('Language'))
  const options = await screen.findAllByText('ಕನ್ನಡ', { selector: '.ant-select-item-option-content *' })
  await person.click(options.at(-1) ?? dialog)
  expect(sheet()).toHaveTextContent(kannada?.title ?? '')
  await person.click(within(dialog).getByRole('button', { name: 'Print notice' }))
  expect(print).toHaveBeenCalledOnce()
})

test('a request about data is added to the register from the notice', async () => {
  const { office: desk, person } = openDesk()
  desk.answer('POST /api/privacy/requests', () => ({ request: received }))
  await openMore(person)
  await person.click(await line())
  const dialog = await noticeOf(office.notice.title)
  await person.click(within(dialog).getByRole('button', { name: 'Add a request about data' }))
  const adding = within(await dialogOf('Add a request'))
  await person.type(adding.getByLabelText('Phone Number'), '98450 12345')
  await person.type(adding.getByLabelText('What the person asks for'), 'What do you hold?')
  await person.click(adding.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(desk.requests('POST /api/privacy/requests')[0]?.body).toEqual({
      kind: 'access',
      phone: '9845012345',
      text: 'What do you hold?',
    }),
  )
})
