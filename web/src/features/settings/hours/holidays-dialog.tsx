import { useQuery } from '@tanstack/react-query'
import { Checkbox, Modal } from 'antd'
import { useState } from 'react'
import type { Holiday, HoursValue } from '@/features/settings/data/document'
import { holidaysQuery } from '@/features/settings/data/queries'
import { inBackground } from '@/in-background'
import { locale } from '@/messages'
import { messages } from '@/settings-messages'
import { LoadAgain } from '@/ui/load-again'
import { useOfficeTime } from '@/ui/office-time'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { useReturnFocus } from '@/ui/use-return-focus'
import { fixedOf, isIn, withHolidays } from './holidays'
import { dayMonthText } from './words'

const text = messages.officeSettings.hours

type Props = { value: HoursValue; onChange: (value: HoursValue) => void; onClose: () => void }

/** The holidays of the list, to be chosen. */
export function HolidaysDialog({ value, onChange, onClose }: Props) {
  useReturnFocus()
  const today = useOfficeTime().today()
  const { data, isError, refetch } = useQuery(holidaysQuery)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const choose = (name: string, on: boolean) =>
    setChosen(on ? [...chosen, name] : chosen.filter((other) => other !== name))
  return (
    <Modal
      open
      title={text.listTitle}
      okText={text.listAdd}
      okButtonProps={{ disabled: chosen.length === 0 }}
      onOk={() => {
        onChange(withHolidays(value, data?.filter(({ name }) => chosen.includes(name)) ?? [], today))
        onClose()
      }}
      onCancel={onClose}
    >
      {isError ? <LoadAgain text={text.listFailed} onRetry={() => inBackground(refetch())} /> : null}
      {data || isError ? null : <SkeletonRows label={text.listLoading} />}
      <ul className="setting-list">
        {data?.map((holiday) => {
          const { name } = holiday
          const there = isIn(value, holiday, today)
          return (
            <li key={name}>
              <Checkbox
                checked={there || chosen.includes(name)}
                disabled={there}
                onChange={({ target }) => choose(name, target.checked)}
              >
                {holiday.texts[locale] ?? name}
                <small>{aboutOf(holiday, there)}</small>
              </Checkbox>
            </li>
          )
        })}
      </ul>
    </Modal>
  )
}

function aboutOf(holiday: Holiday, there: boolean): string {
  const fixed = fixedOf(holiday)
  return [
    fixed ? dayMonthText(fixed) : text.movable,
    ...(holiday.national ? [text.national] : []),
    ...(there ? [text.isIn] : []),
  ].join(', ')
}
