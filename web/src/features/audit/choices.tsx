import { Button } from 'antd'
import './choices.css'

type Props<Key> = {
  label: string
  options: readonly { key: Key; name: string }[]
  chosen: Key | null
  onChoose: (key: Key) => void
}

export function Choices<Key>({ label, options, chosen, onChoose }: Props<Key>) {
  return (
    <div className="choices" role="group" aria-label={label}>
      {options.map(({ key, name }) => (
        <Button
          key={name}
          type={key === chosen ? 'primary' : 'default'}
          aria-pressed={key === chosen}
          onClick={() => onChoose(key)}
        >
          {name}
        </Button>
      ))}
    </div>
  )
}
