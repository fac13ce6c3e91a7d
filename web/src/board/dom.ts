/** Makes an element with a class and children. */
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

/** Sets a text, if it is another: an equal one is not drawn again. */
export function setText(node: Node, text: string) {
  if (node.textContent !== text) node.textContent = text
}
