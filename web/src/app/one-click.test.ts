import { afterEach, beforeEach, expect, test } from 'vitest'
import { takeDoubleClicksAsOne } from './one-click'

let stop: () => void
const clicked: string[] = []

function button(id: string, type: 'button' | 'submit', className = '') {
  const made = Object.assign(document.createElement('button'), { id, type, className })
  made.append(document.createElement('span'))
  return made
}

beforeEach(() => {
  clicked.length = 0
  stop = takeDoubleClicksAsOne()
  document.body.append(
    button('deny', 'button', 'ant-btn'),
    button('send', 'submit'),
    button('next', 'button'),
  )
  document.body.onclick = ({ target }) => clicked.push((target as Element).closest('button')?.id ?? '')
})
afterEach(() => {
  stop()
  document.body.replaceChildren()
  document.body.onclick = null
})

const click = (id: string, detail: number) =>
  document
    .querySelector(`#${id} > span`)
    ?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail }))

test('the second click of a double click has no effect, even on another button', () => {
  click('deny', 1)
  click('deny', 2)
  click('send', 3)
  expect(clicked).toEqual(['deny'])
})

test('a single click acts, and so does a key', () => {
  click('deny', 1)
  click('deny', 1)
  click('send', 0)
  expect(clicked).toEqual(['deny', 'deny', 'send'])
})

test('fast clicks on a pagination all count', () => {
  click('next', 1)
  click('next', 2)
  expect(clicked).toEqual(['next', 'next'])
})
