/**
 * Calls back when a service worker of another build controls the page. The first one of a page without a worker is of
 * its own build; each one after it is not.
 */
export function onNewBuild(serviceWorker: ServiceWorkerContainer, act: () => void) {
  let controlled = serviceWorker.controller !== null
  serviceWorker.addEventListener('controllerchange', () => {
    if (controlled) act()
    controlled = true
  })
}
