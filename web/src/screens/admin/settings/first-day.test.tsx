import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openAdmin } from '@/test/open-admin'

const steps = ['hours', 'services', 'people', 'desks', 'screen', 'notice', 'backup']

const setup = (done: readonly string[] = [], dismissed = false) => ({
  setup: {
    dismissed,
    items: steps.map((key) => ({
      key,
      done: done.includes(key),
      at: done.includes(key) ? '2026-11-20T04:42:00.000Z' : null,
      by: done.includes(key) ? { id: 'asha', name: 'Asha Rao' } : null,
    })),
  },
})

function openFirstDay(done: readonly string[]) {
  const opened = openAdmin()
  opened.office.answer('GET /api/office/setup', () => setup(done))
  opened.office.answer('GET /api/analytics/backup', () => ({ backup: { at: null } }))
  return opened
}

const list = async () => within(await screen.findByRole('region', { name: 'Set up your office' }))

test('the checklist stands above the figures, with what is done and who did it', async () => {
  const { office, person } = openFirstDay(['hours'])
  const checklist = await list()
  const items = checklist.getAllByRole('listitem').map((item) => item.textContent)
  expect(items).toHaveLength(7)
  expect(items[0]).toContain('Done by Asha Rao, 20 Nov 2026')
  expect(items[1]).toContain('To do')
  expect(checklist.getByText('1 of 7 done')).toBeVisible()
  expect(checklist.getByRole('link', { name: 'Give the desks numbers' })).toHaveAttribute(
    'href',
    expect.stringContaining('tab=office&page=settings&section=desks'),
  )
  // People, desks and screens are done by doing them.
  expect(checklist.getAllByRole('button', { name: /^This is right/ })).toHaveLength(3)
  office.answer('PUT /api/office/setup/services', () => setup(['hours', 'services']))
  await person.click(
    checklist.getByRole('button', { name: 'This is right: Check the services and their papers' }),
  )
  expect(await checklist.findByText('2 of 7 done')).toBeVisible()
  expect(office.requests('PUT /api/office/setup/services')[0]?.body).toEqual({ done: true })
})

test('the checklist is hidden, and Settings shows it again', async () => {
  const { office, person, router } = openFirstDay([])
  const checklist = await list()
  office.answer('POST /api/office/setup/dismiss', () => {
    const { dismissed } = office.requests('POST /api/office/setup/dismiss').at(-1)?.body as {
      dismissed: boolean
    }
    return setup([], dismissed)
  })
  await person.click(checklist.getByRole('button', { name: 'Hide this list' }))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Set up your office' })).toBeNull())
  await router.navigate('/dashboard/admin?tab=office&page=settings')
  await person.click(await screen.findByRole('button', { name: 'Show the checklist' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Show the checklist' })).toBeNull())
  expect(office.requests('POST /api/office/setup/dismiss').map(({ body }) => body)).toEqual([
    { dismissed: true },
    { dismissed: false },
  ])
})

test('the checklist goes when all is done', async () => {
  const { office } = openFirstDay(steps.slice(1))
  await list()
  office.answer('GET /api/office/setup', () => setup(steps))
  office.send({ type: 'status_update', data: { entity: 'office', entityId: 'office' } })
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Set up your office' })).toBeNull())
})

test('the figures wait until it is known whether the checklist stands above them', async () => {
  openFirstDay([])
  const shown: string[] = []
  const watcher = new MutationObserver(() => {
    if (!screen.queryByText('Average wait time')) return
    shown.push(screen.queryByRole('region', { name: 'Set up your office' }) ? 'with the list' : 'alone')
  })
  watcher.observe(document.body, { childList: true, subtree: true })
  await list()
  watcher.disconnect()
  expect(shown).toContain('with the list')
  expect(shown).not.toContain('alone')
})

test('the figures are shown without the checklist when it cannot be loaded', async () => {
  const { office } = openFirstDay([])
  office.fail('GET /api/office/setup')
  expect(await screen.findByText('Average wait time')).toBeVisible()
})
