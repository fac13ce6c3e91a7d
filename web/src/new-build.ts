/**
 * Calls `act` when a service worker of another build takes control of the page. If no worker controls the page yet,
 * the first worker is of the same build as the page, and each later worker is of another.
 */
export function onNewBuild(serviceWorker: ServiceWorkerContainer, act: () => void) {
  let controlled = serviceWorker.controller !== null
  serviceWorker.addEventListener('controllerchange', () => {
    if (controlled) act()
    controlled = true
  })
}
