import { useSyncExternalStore } from 'react'
import { inBackground } from '@/in-background'
import { onNewBuild } from '@/new-build'

/** A service worker keeps the page and its files, so that the desk opens without the server. */
const scope = '/dashboard'
const updateEveryMs = 15 * 60_000

let waiting: ServiceWorker | undefined
const listeners = new Set<() => void>()

function found(worker: ServiceWorker | null | undefined) {
  waiting = worker ?? undefined
  listeners.forEach((listener) => listener())
}

let started = false

/** Registers the service worker. A new build waits until this page calls `takeOver`. */
export function startShell() {
  if (started || !('serviceWorker' in navigator)) return
  started = true
  // Only a paired desk can be installed as an application: other dashboards do not open without the server.
  const link = document.createElement('link')
  link.rel = 'manifest'
  link.href = '/desk.webmanifest'
  document.head.append(link)
  inBackground(register())
}

async function register() {
  const { serviceWorker } = navigator
  onNewBuild(serviceWorker, () => location.reload())
  const registration = await serviceWorker.register('/desk-sw.js', { scope })
  const check = () => {
    if (registration.waiting && serviceWorker.controller) found(registration.waiting)
  }
  check()
  registration.addEventListener('updatefound', () =>
    registration.installing?.addEventListener('statechange', check),
  )
  setInterval(() => inBackground(registration.update()), updateEveryMs)
}

/** Switches to the new version of the page and its files, which belong together. */
const takeOver = () => waiting?.postMessage('take over')

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** A function that loads the new version; undefined if there is none. */
export const useNewVersion = (): (() => void) | undefined =>
  useSyncExternalStore(subscribe, () => (waiting ? takeOver : undefined))
