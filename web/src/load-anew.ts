/** Opens another page of the application with a full load. Back does not return to this page. */
export function loadAnew(path: string) {
  window.location.replace(path)
}

let own = false

/** Whether the application loads the page again. What was typed is kept, so the user need not be asked. */
export const isOwnReload = () => own

export function reload() {
  own = true
  window.location.reload()
}
