import { useEffect } from 'react'
import { useOffice } from '@/features/office/use-office'
import { messages } from '@/messages'
import { BackCover } from './back-cover'
import { Booking } from './booking'
import { Claims } from './claims'
import { Hero } from './hero'
import { LetterHead } from './letter-head'
import { Place } from './place'
import { ServicesBook } from './services-book'
import { ToastShelf } from './toast-shelf'
import { useToasts } from './use-toasts'
import { WhyUs } from './why-us'
import '@/ui/cloth.css'
import './landing.css'

/** The public page: the office as an account book, from its cloth cover to its back. */
export function Landing() {
  const office = useOffice()
  const { toasts, show, remove } = useToasts()

  // The browser looks for the fragment's target before the script has drawn it, so the script scrolls to it.
  useEffect(() => {
    document.getElementById(window.location.hash.slice(1))?.scrollIntoView()
  }, [])

  return (
    <div className="ld">
      <a className="ld-skip" href="#content">
        {messages.landing.skip}
      </a>
      <LetterHead office={office} />
      <main id="content" tabIndex={-1}>
        <Hero office={office} />
        <Claims claims={office.claims} />
        <ServicesBook services={office.services} />
        <WhyUs office={office} />
        <Place office={office} />
        <Booking office={office} notify={show} />
      </main>
      <BackCover office={office} />
      <ToastShelf toasts={toasts} onGone={remove} />
    </div>
  )
}
