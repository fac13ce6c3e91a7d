import { render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { languages, type Language } from '@/locales/languages'
import { translationIn } from '@/test/catalogues'

const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.*', '!../test/**'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

const many = 12_34_567

test.each(Object.keys(languages) as Language[])(
  'counts on a page in %s are grouped, in Latin digits',
  async (name) => {
    vi.stubGlobal('translation', translationIn(name))
    vi.resetModules()
    const [{ PageCount }, { Panel }, { CountTabs }, { Stats }, { Records }, { Filled }] = await Promise.all([
      import('./page'),
      import('./panel'),
      import('./count-tabs'),
      import('./stats'),
      import('./records'),
      import('./filled'),
    ])
    const tabs = [{ key: 'all', label: 'All', count: many }]
    render(
      <>
        <PageCount value={many} unit={{ one: '{count} one', other: '{count} many' }} />
        <Panel title="Panel" count={many}>
          <Filled message="Filled {count}" values={{ count: many }} />
        </Panel>
        <CountTabs label="Tabs" active="all" tabs={tabs} onChange={() => undefined} />
        <Stats items={[{ label: 'Total', value: many }]} />
        <Records
          label="Records"
          columns={[{ key: 'count', title: 'Count', entry: 'titled', render: ({ count }) => count }]}
          rows={[{ count: many }]}
          rowKey={() => 'row'}
          empty="None"
        />
      </>,
    )
    expect(document.body.textContent.match(/[\d,]{7,}/g)).toEqual(Array(6).fill('12,34,567'))
    expect(screen.getByRole('tab')).toHaveTextContent('All 12,34,567')
  },
)

/** The only modules that create formatters, with what they format. */
const formatters = {
  '../messages.ts': 'counts',
  '../features/audit/report-rows.ts': 'hours with a decimal',
  '../features/messages/costs-panel.tsx': 'rupees and months',
  './office-time.tsx': 'dates and times of the office',
  './time-of-day.ts': 'times of a day',
  '../board/clock-words.ts': 'the clock of the board',
  '../features/visits/data/later-today.ts': 'the value of a time field',
  '../features/office/office-day.ts': 'the parts of a day, not shown',
  '../features/office/opening-hours.ts': 'weekdays',
  '../features/settings/hours/words.ts': 'weekdays, months and days',
  '../features/due-dates/entries.ts': 'months',
  '../named-days.ts': 'a day of the next months',
  '../features/appointments/long-day.ts': 'a day with its weekday',
}

test('formats are made by their modules alone, and none depends on the browser', () => {
  const makers = Object.entries(sources).filter(([, source]) =>
    /Intl\.(Number|DateTime)Format\(/.test(source),
  )
  expect(makers.map(([path]) => path).sort()).toEqual(Object.keys(formatters).sort())
  const local = Object.entries(sources).filter(([, source]) => /\.toLocale(Date|Time)?String\(/.test(source))
  expect(local.map(([path]) => path)).toEqual([])
})
