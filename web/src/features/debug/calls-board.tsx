import { useState } from 'react'
import { debug } from '@/locales/debug'
import { Panel, PanelBody } from '@/ui/panel'
import { CallForm } from './call-form'
import { callGroups, noValues, type Field } from './calls'
import './calls-board.css'

/** Every call with its form. Forms with the same field share its value. */
export function CallsBoard({ onSessionChange }: { onSessionChange: () => void }) {
  const [values, setValues] = useState(noValues)
  const change = (field: Field, value: string) => setValues((now) => ({ ...now, [field]: value }))
  return callGroups.map(({ name, calls }) => (
    <Panel key={name} title={debug.groups[name]} className="calls-group">
      <PanelBody>
        <div className="calls">
          {calls.map((call) => (
            <CallForm
              key={call.name}
              call={call}
              values={values}
              onChange={change}
              onSessionChange={onSessionChange}
            />
          ))}
        </div>
      </PanelBody>
    </Panel>
  ))
}
