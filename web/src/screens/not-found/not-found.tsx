import { Link } from 'react-router'
import { messages } from '@/messages'

export function NotFound() {
  return (
    <main>
      <h1>{messages.notFound.title}</h1>
      <Link to="/">{messages.notFound.home}</Link>
    </main>
  )
}
