const keptMs = 60_000

export function save(file: Blob, name: string) {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser reads the file some time after the click.
  setTimeout(() => URL.revokeObjectURL(url), keptMs)
}
