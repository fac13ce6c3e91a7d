import { Select } from 'antd'
import { useState, type KeyboardEvent, type ReactNode } from 'react'
import type { ServiceChoice } from '@/features/visits/data/action-context'
import { fill, locale } from '@/messages'
import { messages } from '@/staff-messages'
import { Icon, type IconName } from '@/ui/icon'
import { OfficeWords, serviceNameIn } from '@/ui/office-words'
import { searchByWord } from '@/ui/select-search'

type Props = {
  services: readonly ServiceChoice[]
  loading: boolean
  /** Called by Enter in the closed list, as in other single-line fields. */
  onEnter: () => void
  id?: string
  value?: string
  onChange?: (id: string) => void
}

/** Selects a service. Typing filters the list, also by the English names; Enter takes the first option. */
export function ServiceSelect({ services, loading, onEnter, ...field }: Props) {
  const [open, setOpen] = useState(false)
  const options = services.map(({ id, name, estimatedTime, icon, texts }) => ({
    value: id,
    label: serviceNameIn(locale, name, texts),
    words: <OfficeWords text={name} translation={texts[locale]?.name} />,
    search: `${texts[locale]?.name ?? ''} ${name}`,
    minutes: fill(messages.visits.minutes, { minutes: estimatedTime }),
    icon,
  }))
  const submitOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || open || field.value === undefined) return
    event.preventDefault()
    event.stopPropagation()
    onEnter()
  }
  return (
    <div onKeyDownCapture={submitOnEnter}>
      <Select
        {...field}
        className="service-select"
        size="large"
        loading={loading}
        placeholder={messages.visits.form.chooseService}
        options={options}
        open={open}
        onOpenChange={setOpen}
        // The component itself closes the list later, and a fast second Enter would still find it open.
        onSelect={() => setOpen(false)}
        showSearch={searchByWord}
        listHeight={360}
        optionRender={({ data }) => (
          <ServiceOption name={data.words} minutes={data.minutes} icon={data.icon} />
        )}
        labelRender={({ value }) => {
          const chosen = options.find((option) => option.value === value)
          return chosen ? <ServiceOption name={chosen.words} minutes={chosen.minutes} /> : null
        }}
      />
    </div>
  )
}

function ServiceOption({ name, minutes, icon }: { name: ReactNode; minutes: string; icon?: IconName }) {
  return (
    <span className="service-option">
      {icon ? <Icon name={icon} size={18} /> : null}
      <span>{name}</span>
      <em>{minutes}</em>
    </span>
  )
}
