import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Checkbox, Form, Input, Modal } from 'antd'
import { useState } from 'react'
import { messages } from '@/admin-messages'
import { inBackground } from '@/in-background'
import { languages, type Language } from '@/locales/languages'
import { fill } from '@/messages'
import { useReturnFocus } from '@/ui/use-return-focus'
import { Booth } from './booth'
import { canRecord } from './encode'
import { saveVoice } from './queries'
import { dropTakes, keepTakes, takesOf, type Takes } from './takes'
import { wordsOf } from './words'
import './studio.css'

const text = messages.voices
const longestName = 80

type Props = { language: Language; onClose: () => void }

/** The recording studio of a language: the speaker's consent, then one word after the other, then the pack is saved. */
export function Studio({ language, onClose }: Props) {
  useReturnFocus()
  const begun = useQuery({
    queryKey: ['takes', language],
    queryFn: async () => ({ able: await canRecord(), takes: await takesOf(language) }),
    staleTime: 0,
    gcTime: 0,
  })
  return (
    <Modal
      open
      title={fill(text.studioTitle, { language: languages[language].name })}
      width={720}
      footer={null}
      mask={{ closable: false }}
      keyboard={false}
      onCancel={onClose}
    >
      {begun.data ? <Room language={language} {...begun.data} onClose={onClose} /> : null}
      {begun.isError ? <p role="alert">{text.noStore}</p> : null}
    </Modal>
  )
}

type RoomProps = Props & { able: boolean; takes: Takes | null }

function Room({ language, able, takes, onClose }: RoomProps) {
  const [current, setCurrent] = useState(takes)
  const [entered, setEntered] = useState(false)
  const client = useQueryClient()
  const save = useMutation({ ...saveVoice, onSuccess: () => forget() })
  const forget = async () => {
    await dropTakes(language)
    client.removeQueries({ queryKey: ['takes', language] })
    onClose()
  }
  const keep = async (next: Takes) => {
    await keepTakes(language, next)
    setCurrent(next)
  }
  if (!able) return <p role="alert">{text.unable}</p>
  if (!current || !entered)
    return (
      <Consent
        language={language}
        takes={current}
        onDiscard={() => inBackground(forget())}
        onAgree={(speaker) =>
          inBackground(keep({ clips: {}, ...current, speaker }).then(() => setEntered(true)))
        }
      />
    )
  return (
    <Booth
      words={wordsOf(language)}
      language={language}
      takes={current}
      saving={save.isPending}
      onTake={(clip, file) => keep({ ...current, clips: { ...current.clips, [clip]: file } })}
      onSave={() => save.mutate({ language, takes: current })}
    />
  )
}

type ConsentProps = {
  language: Language
  takes: Takes | null
  onAgree: (speaker: string) => void
  onDiscard: () => void
}

/** Asks for the speaker's name and consent, because a voice is personal data. */
function Consent({ language, takes, onAgree, onDiscard }: ConsentProps) {
  const recorded = Object.keys(takes?.clips ?? {}).length
  const required = (message: string) => ({
    validator: (_rule: unknown, agreed: boolean) =>
      agreed ? Promise.resolve() : Promise.reject(new Error(message)),
  })
  return (
    <Form<{ speaker: string }>
      name="voice-consent"
      layout="vertical"
      requiredMark={false}
      initialValues={{ speaker: takes?.speaker ?? '' }}
      onFinish={({ speaker }) => onAgree(speaker.trim())}
    >
      <p>{text.how}</p>
      <Form.Item
        name="speaker"
        label={text.speaker}
        rules={[{ required: true, whitespace: true, message: text.speakerRequired }]}
      >
        <Input maxLength={longestName} autoComplete="off" />
      </Form.Item>
      <Form.Item name="consent" valuePropName="checked" rules={[required(text.consentRequired)]}>
        <Checkbox>{text.consent}</Checkbox>
      </Form.Item>
      <div className="studio-buttons">
        <Button type="primary" htmlType="submit">
          {recorded > 0 ? fill(text.goOn, { recorded, all: wordsOf(language).length }) : text.begin}
        </Button>
        {recorded > 0 ? <Button onClick={onDiscard}>{text.discard}</Button> : null}
      </div>
    </Form>
  )
}
