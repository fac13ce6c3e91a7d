import { lazy, Suspense } from 'react'
import { useUndoOffers } from '@/features/visits/data/undo'
import { sentenceOf } from '@/features/visits/data/undo-words'

// Loaded with the first change.
const Shelf = lazy(async () => ({ default: (await import('./undo-shelf')).Shelf }))

/**
 * The last changes of this user, each with a button that undoes it until its time is over. It never takes the focus.
 */
export function UndoToast() {
  const offers = useUndoOffers()
  return (
    <>
      <p className="visually-hidden" role="status">
        {offers[0] ? sentenceOf(offers[0]) : null}
      </p>
      {offers.length > 0 ? (
        <Suspense fallback={null}>
          <Shelf offers={offers} />
        </Suspense>
      ) : null}
    </>
  )
}
