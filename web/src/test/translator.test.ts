import { expect, test } from 'vitest'
import { translator } from '../../e2e/translator'

const english = {
  edit: 'Edit {name}',
  name: 'Name',
  nameRequired: 'Name is required',
  created: 'Token {token} created successfully',
  accountCreated: 'Account created successfully',
  decline: 'Decline',
  declineOf: 'Decline the request of {name}',
  queue: '{name} (queue {count})',
  off: 'Off',
  voiceOff: 'Off',
  denied: '{count} denied',
  decided: 'Token {token} was already approved or denied. Your notes:',
}
const hindi = {
  edit: '{name} बदलें',
  name: 'नाम',
  nameRequired: 'नाम ज़रूरी है',
  created: 'टोकन {token} बन गया',
  accountCreated: 'खाता बन गया',
  decline: 'नामंज़ूर करें',
  declineOf: '{name} का अनुरोध नामंज़ूर करें',
  queue: '{name} (कतार {count})',
  off: 'बंद',
  voiceOff: 'चुप',
  denied: '{count} नामंज़ूर',
  decided: 'टोकन {token} पर निर्णय हो चुका है। आपकी टिप्पणी:',
}
const translate = translator(english, hindi, new Map([['ITR Filing', 'आयकर विवरणी']]))

/** Whether a text matches an English search. */
const finds = (words: string | RegExp, text: string, exact = false) => {
  const sought = translate(words, exact)
  return typeof sought === 'string' ? text.includes(sought) : sought.test(text)
}

test('a whole text is found by its translation only', () => {
  expect(finds('Name', 'नाम', true)).toBe(true)
  expect(finds('Name', 'नाम ज़रूरी है', true)).toBe(false)
  expect(finds('Off', 'बंद', true) && finds('Off', 'चुप', true)).toBe(true)
})

test('values stay where they are numbers or tokens, and are translated where they are words of the office', () => {
  expect(finds('Token T-042 created successfully', 'टोकन T-042 बन गया')).toBe(true)
  expect(finds('Token T-042 created successfully', 'टोकन T-043 बन गया')).toBe(false)
  expect(finds('Edit ITR Filing', 'आयकर विवरणी बदलें', true)).toBe(true)
  expect(finds('Edit ITR Filing', 'लेखापरीक्षा बदलें', true)).toBe(false)
  expect(finds('ITR Filing', 'आयकर विवरणी')).toBe(true)
})

test('a part of a text is found, and the beginning of any', () => {
  expect(
    finds(/created successfully/, 'टोकन T-042 बन गया') && finds(/created successfully/, 'खाता बन गया'),
  ).toBe(true)
  expect(finds(/^Decline/, 'Asha का अनुरोध नामंज़ूर करें') && finds(/^Decline/, 'नामंज़ूर करें')).toBe(true)
  expect(finds(/was already approved or denied/, 'टोकन T-042 पर निर्णय हो चुका है। आपकी टिप्पणी:')).toBe(true)
  expect(finds(/queue [1-9]/, 'Asha (कतार 4)')).toBe(true)
  expect(finds(/queue [1-9]/, 'Asha (कतार 0)')).toBe(false)
})

test('what is in no catalogue stays', () => {
  expect(translate('ACK-2026-000123')).toBe('ACK-2026-000123')
  expect(translate(/^T-/)).toEqual(/^T-/)
  const data = 'Sent by registered post on 12 October, before noon (queue 4)'
  expect(translate(data)).toBe(data)
})
