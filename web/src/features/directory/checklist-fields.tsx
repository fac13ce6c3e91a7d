import { Button, Checkbox, Form, Input } from 'antd'
import { fill } from '@/messages'
import { languages, type Language } from '@/locales/languages'
import { messages } from '@/staff-messages'
import { Icon } from '@/ui/icon'
import './tables.css'

const text = messages.papers
const longestLabel = 120
const mostPapers = 30

/** The checklist of a service: its papers, which of them are needed, and their names in other languages. */
export function ChecklistFields({ offered }: { offered: readonly Language[] }) {
  const others = offered.filter((name) => name !== 'en')
  return (
    <Form.List name="papers">
      {(rows, { add, remove }) => (
        <fieldset className="checklist-fields">
          <legend>{text.checklist}</legend>
          {rows.map(({ key, name }) => (
            <PaperFields key={key} index={name} others={others} onRemove={() => remove(name)} />
          ))}
          <Button
            icon={<Icon name="plus" size={18} />}
            disabled={rows.length >= mostPapers}
            onClick={() => add({ label: '', required: true, labels: {} })}
          >
            {text.add}
          </Button>
        </fieldset>
      )}
    </Form.List>
  )
}

type PaperProps = { index: number; others: readonly Language[]; onRemove: () => void }

function PaperFields({ index, others, onRemove }: PaperProps) {
  const label = Form.useWatch<string | undefined>(['papers', index, 'label']) ?? ''
  return (
    <div className="checklist-paper">
      <div className="checklist-line">
        <Form.Item
          name={[index, 'label']}
          rules={[{ required: true, whitespace: true, message: text.labelRequired }]}
        >
          <Input aria-label={text.paper} maxLength={longestLabel} />
        </Form.Item>
        <Form.Item name={[index, 'required']} valuePropName="checked">
          <Checkbox>{text.needed}</Checkbox>
        </Form.Item>
        <Button
          icon={<Icon name="x" size={18} />}
          aria-label={label ? fill(text.remove, { paper: label }) : text.removeNew}
          onClick={onRemove}
        />
      </div>
      <details>
        <summary>{text.inOtherLanguages}</summary>
        {others.map((name) => (
          <Form.Item key={name} name={[index, 'labels', name]} label={languages[name].name}>
            <Input lang={name} maxLength={longestLabel} />
          </Form.Item>
        ))}
      </details>
    </div>
  )
}
