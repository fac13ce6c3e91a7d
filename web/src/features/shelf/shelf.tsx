import { Suspense, useEffect, useLayoutEffect } from 'react'
import { chunk } from '@/chunk'
import { openShelf, useEntries } from '@/shelf'
import { Icon } from '@/ui/icon'
import { takeFlash, useToast } from '@/ui/toasts'
import './shelf.css'

const load = () => import('./shelf-line')

// `ShelfLine` is loaded when the first entry is added.
const ShelfLine = chunk(async () => (await load()).ShelfLine)

/**
 * Shows at the bottom of the page that the user's last action succeeded, and then what can be undone. The text of the
 * success is announced once. The shelf never takes the focus.
 */
export function Shelf() {
  const { entries, fresh } = useEntries()
  const toast = useToast()
  useLayoutEffect(openShelf, [])
  useEffect(() => {
    const flash = takeFlash()
    if (flash) toast.success(flash)
  }, [toast])
  const newest = entries.at(0)
  const isFresh = newest !== undefined && newest.key === fresh
  const classes = ['shelf', newest && 'shelf-open', isFresh && 'shelf-fresh']
  return (
    <div className={classes.filter(Boolean).join(' ')}>
      <p role="status">
        {isFresh ? (
          <>
            <Icon name="check" size={18} />
            {newest.text}
          </>
        ) : null}
      </p>
      {newest ? (
        <Suspense fallback={null}>
          <ShelfLine entries={entries} isFresh={isFresh} />
        </Suspense>
      ) : null}
    </div>
  )
}
