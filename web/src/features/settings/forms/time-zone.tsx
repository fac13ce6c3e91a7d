import { messages } from '@/settings-messages'

const text = messages.officeSettings

/** The office's time zone, which is no setting. */
export function TimeZone({ zone }: { zone: string }) {
  return (
    <div className="setting">
      <b>{text.timeZone}</b>
      <p>{zone}</p>
      <p className="setting-hint">{text.zone}</p>
    </div>
  )
}
