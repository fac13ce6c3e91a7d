export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag)
  made.className = className
  made.append(...children)
  return made
}

/** An element for a token. It is marked as English, so that its Latin letters look the same in every language. */
export function tokenElement<K extends keyof HTMLElementTagNameMap>(tag: K, className: string) {
  const made = el(tag, className)
  made.lang = 'en'
  return made
}

export function shape(name: string, attributes: Record<string, string>, ...children: Node[]): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name)
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value))
  made.append(...children)
  return made
}

/** Sets a text only if it differs, so that an equal text is not drawn again. */
export function setText(node: Node, text: string) {
  if (node.textContent !== text) node.textContent = text
}
