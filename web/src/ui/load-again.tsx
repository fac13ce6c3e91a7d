import { Button } from 'antd'
import { messages } from '@/messages'
import './load-again.css'

export function LoadAgain({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <div className="load-again">
      <p>{text}</p>
      <Button onClick={onRetry}>{messages.request.tryAgain}</Button>
    </div>
  )
}
