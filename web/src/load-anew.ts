/** Opens another page of the application with a full load. Back does not return to this page. */
export function loadAnew(path: string) {
  window.location.replace(path)
}

export function reload() {
  window.location.reload()
}
