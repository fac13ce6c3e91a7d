import { queryOptions, useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { inBackground } from '@/in-background'
import { debug as text } from '@/locales/debug'
import { officialClient } from './official-client'
import './health.css'

const healthQuery = queryOptions({
  queryKey: ['debug', 'health'],
  queryFn: async () => {
    const { data, error } = await officialClient(fetch).$fetch<{ ok?: boolean }>('/ok')
    if (data?.ok === true) return { good: true, detail: '' }
    return { good: false, detail: error ? `${error.status} ${error.statusText}` : '' }
  },
  retry: false,
  staleTime: 0,
})

export function Health() {
  const { data, error, isFetching, refetch } = useQuery(healthQuery)
  const health = error ? { good: false, detail: error.message } : data
  const known = health && !isFetching
  return (
    <div className="health">
      <p role="status" aria-label={text.health} className={known ? stateOf(health.good) : undefined}>
        {text.health}:{' '}
        <b>{known ? (health.good ? text.healthGood : text.healthFailing) : text.healthUnknown}</b>
        {known && health.detail ? <span>{health.detail}</span> : null}
      </p>
      <Button onClick={() => inBackground(refetch())}>{text.checkAgain}</Button>
    </div>
  )
}

const stateOf = (good: boolean) => (good ? 'health-good' : 'health-failing')
