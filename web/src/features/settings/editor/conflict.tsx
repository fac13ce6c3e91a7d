import { Button } from 'antd'
import { fill } from '@/messages'
import { messages } from '@/settings-messages'
import { settingText } from '@/features/settings/fields/texts'
import { wordsOf } from './sentences'
import type { Editor } from './use-editor'

const text = messages.officeSettings

type Props = {
  editor: Editor
  /** Who has changed the section meanwhile; null for the office's file. */
  by: { name: string } | null
  /** Whether that is the admin of this page, in another window. */
  isOwn: boolean
}

/** Both values of each setting that has been changed elsewhere meanwhile, and the choice between them. */
export function Conflict({ editor, by, isOwn }: Props) {
  const { conflict, pending, discard, saveMine } = editor
  return (
    <div className="settings-foot">
      <div className="settings-changes" role="group" aria-label={text.thisChanges} tabIndex={0}>
        <b role="alert">{isOwn ? text.staleOwnNow : text.staleNow}</b>
        <ul>
          {conflict.map(({ key, own, other }) => (
            <li key={key}>
              <b>{settingText(key).title}</b>{' '}
              {isOwn
                ? fill(text.staleOwn, { own: wordsOf(key, own), other: wordsOf(key, other) })
                : fill(text.stale, {
                    name: by?.name ?? text.system,
                    own: wordsOf(key, own),
                    other: wordsOf(key, other),
                  })}
            </li>
          ))}
        </ul>
      </div>
      <span className="row-actions">
        <Button disabled={pending} onClick={discard}>
          {isOwn ? text.takeSaved : text.takeTheirs}
        </Button>
        <Button type="primary" disabled={pending} onClick={saveMine}>
          {text.keepMine}
        </Button>
      </span>
    </div>
  )
}
