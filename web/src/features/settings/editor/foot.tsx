import { Button } from 'antd'
import type { Effect, SectionKey, Value } from '@/features/settings/data/document'
import { settingText } from '@/features/settings/fields/texts'
import { fill } from '@/messages'
import { messages } from '@/settings-messages'
import { concernedText, draftSentences, effectSentence } from './sentences'
import type { Editor } from './use-editor'

const text = messages.officeSettings

type Props = {
  section: SectionKey
  editor: Editor
  /** The value that the input replaces. */
  before: Value
}

/** What the input changes, and the buttons that save or discard it. It stays at the foot of the window. */
export function Foot({ section, editor, before }: Props) {
  const { value, preview, errors, checking, failed, pending, discard } = editor
  const wrong = Object.entries(errors)
  const sentences = preview ? draftSentences(section, before, value, preview.changes) : []
  return (
    <div className="settings-foot">
      <div className="settings-changes" role="group" aria-label={text.thisChanges} tabIndex={0}>
        <div role="status" aria-busy={checking}>
          {wrong.length > 0 ? (
            <>
              <b>{text.cannotSave}</b>
              <ul>
                {wrong.map(([pointer, sentence]) => (
                  <li key={pointer} className="setting-error">
                    {fill(text.changes.set, { setting: settingText(pointer).title, value: sentence })}
                  </li>
                ))}
              </ul>
            </>
          ) : (
            <>
              <b>{text.thisChanges}</b>
              {failed ? <p>{text.previewFailed}</p> : preview ? null : <p>{text.checking}</p>}
              <ul>
                {sentences.map((sentence) => (
                  <li key={sentence}>{sentence}</li>
                ))}
                {preview?.effects.map((effect) => (
                  <li key={effect.code}>
                    <EffectLine effect={effect} />
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
      </div>
      <span className="row-actions">
        <Button type="primary" htmlType="submit" disabled={pending}>
          {text.save}
        </Button>
        <Button disabled={pending} onClick={discard}>
          {text.discard}
        </Button>
      </span>
    </div>
  )
}

/** An effect, with the first records that it concerns. */
function EffectLine({ effect }: { effect: Effect }) {
  return (
    <>
      <b>{effectSentence(effect)}</b>
      {effect.first.length === 0 ? null : <small>{effect.first.map(concernedText).join('; ')}</small>}
    </>
  )
}
