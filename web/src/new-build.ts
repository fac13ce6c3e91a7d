/**
 * Calls back when a service worker of another build takes control of the page. On a page without one, the first worker
 * is of the same build; each later one is not.
 */
export function onNewBuild(serviceWorker: ServiceWorkerContainer, act: () => void) {
  let controlled = serviceWorker.controller !== null
  serviceWorker.addEventListener('controllerchange', () => {
    if (controlled) act()
    controlled = true
  })
}
