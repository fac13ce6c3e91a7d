import { Button } from 'antd'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { messages } from '@/admin-messages'
import { inBackground } from '@/in-background'
import type { Language } from '@/locales/languages'
import { fill } from '@/messages'
import { decoded, encoded } from './encode'
import { Microphone, play } from './recorder'
import { cleaned, type Fault } from './sound'
import type { Takes } from './takes'
import type { Word } from './words'

const text = messages.voices

type State = 'idle' | 'recording' | 'playing' | Fault | 'denied' | 'failed'

const notes: Record<State, string> = {
  idle: text.press,
  recording: text.speak,
  playing: text.listen,
  quiet: text.quiet,
  loud: text.loud,
  denied: text.denied,
  failed: text.failed,
}

type Props = {
  words: readonly Word[]
  language: Language
  takes: Takes
  saving: boolean
  onTake: (clip: string, file: ArrayBuffer) => Promise<void>
  onSave: () => void
}

/** Records one word at a time. Space starts, stops, and continues with the next word. */
export function Booth({ words, language, takes, saving, onTake, onSave }: Props) {
  const isRecorded = ({ clip }: Word) => Object.hasOwn(takes.clips, clip)
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      words.findIndex((word) => !isRecorded(word)),
    ),
  )
  const { state, record, stop, listen, fail } = useMicrophone()
  const word = words[at] ?? { clip: '', text: '' }
  const count = words.filter(isRecorded).length
  const take = async () => {
    const file = await record()
    if (!file) return
    try {
      await onTake(word.clip, file)
    } catch {
      fail()
      return
    }
    await listen(file)
  }
  const again = () => (state === 'recording' ? stop() : inBackground(take()))
  const move = (step: number) => setAt((now) => Math.min(Math.max(now + step, 0), words.length - 1))
  useSpace(() => {
    if (state === 'playing') return
    if (state === 'idle' && isRecorded(word) && at < words.length - 1) move(1)
    else again()
  })
  const kept = takes.clips[word.clip]
  return (
    <div className="studio">
      <progress className="studio-progress" value={count} max={words.length} aria-label={text.progress} />
      <p className="studio-count">{fill(text.count, { recorded: count, all: words.length })}</p>
      <p className={`studio-word studio-${state}`} lang={language}>
        {word.text}
      </p>
      <p className="studio-note" role="status">
        {kept && state === 'idle' ? text.kept : notes[state]}
      </p>
      <div className="studio-buttons">
        <Button disabled={at === 0 || state === 'recording'} onClick={() => move(-1)}>
          {text.back}
        </Button>
        <Button type={kept ? 'default' : 'primary'} onClick={again} disabled={state === 'playing'}>
          {state === 'recording' ? text.stop : kept ? text.again : text.record}
        </Button>
        <Button disabled={!kept || state !== 'idle'} onClick={() => kept && inBackground(listen(kept))}>
          {text.play}
        </Button>
        <Button disabled={at === words.length - 1 || state === 'recording'} onClick={() => move(1)}>
          {text.next}
        </Button>
      </div>
      {count === words.length ? (
        <Button type="primary" block loading={saving} onClick={onSave}>
          {text.save}
        </Button>
      ) : null}
    </div>
  )
}

function useMicrophone() {
  const [state, setState] = useState<State>('idle')
  const microphone = useRef<Microphone | null>(null)
  useEffect(
    () => () => {
      microphone.current?.close()
      microphone.current = null
    },
    [],
  )
  /** Records a word; null if there is no usable recording. `state` then has the reason. */
  const record = async (): Promise<ArrayBuffer | null> => {
    try {
      microphone.current ??= await Microphone.open()
    } catch {
      setState('denied')
      return null
    }
    setState('recording')
    try {
      const samples = cleaned(await decoded(await microphone.current.record()))
      if (typeof samples === 'string') {
        setState(samples)
        return null
      }
      return (await encoded(samples)).buffer
    } catch {
      setState('failed')
      return null
    }
  }
  const listen = async (file: ArrayBuffer) => {
    setState('playing')
    await play(file).then(
      () => setState('idle'),
      () => setState('failed'),
    )
  }
  return { state, record, listen, stop: () => microphone.current?.stop(), fail: () => setState('failed') }
}

/** Calls `press` when Space is pressed, wherever the focus is. */
function useSpace(press: () => void) {
  const onSpace = useEffectEvent(press)
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      if (event.code !== 'Space' || event.repeat) return
      // Otherwise Space would also press a focused button.
      event.preventDefault()
      onSpace()
    }
    addEventListener('keydown', listener)
    return () => removeEventListener('keydown', listener)
  }, [])
}
