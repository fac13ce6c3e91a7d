import { Button } from 'antd'
import { messages } from '@/messages'
import './load-again.css'

/** In place of what could not be loaded: the sentence and a way to try again. */
export function LoadAgain({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <div className="load-again">
      <p>{text}</p>
      <Button onClick={onRetry}>{messages.request.tryAgain}</Button>
    </div>
  )
}
