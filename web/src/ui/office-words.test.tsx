import { render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { translationIn } from '@/test/catalogues'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

async function inHindi() {
  vi.stubGlobal('translation', translationIn('hi'))
  vi.resetModules()
  const [words, papers, { Register }, { OfficeTimeProvider }] = await Promise.all([
    import('./office-words'),
    import('./paper-words'),
    import('@/features/audit/register'),
    import('./office-time'),
  ])
  return { ...words, ...papers, Register, OfficeTimeProvider }
}

const entry = {
  token: 'T-001',
  name: 'A*** K***',
  consultant: 'Zoya',
  stage: 'completed',
  arrivedAt: '2026-11-20T04:30:00.000Z',
  calledAt: null,
  startedAt: null,
  completedAt: null,
}

test('the register names services in the language of the page, and marks those without a translation', async () => {
  const { Register, OfficeTimeProvider, ServiceTextsContext } = await inHindi()
  const texts = new Map([['Tax Planning', { hi: { name: 'कर नियोजन', description: '' } }]])
  const entries = [
    { ...entry, service: 'Tax Planning' },
    { ...entry, token: 'T-002', service: 'Bookkeeping' },
  ]
  render(
    <OfficeTimeProvider timeZone="Asia/Kolkata">
      <ServiceTextsContext value={texts}>
        <Register register={{ day: '2026-11-20', entries }} />
      </ServiceTextsContext>
    </OfficeTimeProvider>,
  )
  expect(screen.getByText('कर नियोजन')).not.toHaveAttribute('lang')
  expect(screen.queryByText('Tax Planning')).toBeNull()
  expect(screen.getByText('Bookkeeping')).toHaveAttribute('lang', 'en')
})

test('a paper of the checklist without a translation is marked as English, one that was typed is not', async () => {
  const { PaperName, PaperLabelsContext, paperOf } = await inHindi()
  render(
    <PaperLabelsContext value={new Map([[paperOf('s', 'pan'), { hi: 'पैन कार्ड' }]])}>
      <p>
        <PaperName service="s" of={{ key: 'pan', label: 'PAN card' }} />
      </p>
      <p>
        <PaperName service="s" of={{ key: 'form-16', label: 'Form 16' }} />
      </p>
      <p>
        <PaperName service="s" of={{ key: null, label: 'किरायानामा' }} />
      </p>
    </PaperLabelsContext>,
  )
  expect(screen.getByText('पैन कार्ड')).not.toHaveAttribute('lang')
  expect(screen.getByText('Form 16')).toHaveAttribute('lang', 'en')
  expect(screen.getByText('किरायानामा')).not.toHaveAttribute('lang')
})
