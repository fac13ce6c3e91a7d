import { expect, test } from 'vitest'
import { noticeIn } from './notice'

const notice = {
  version: '2026-11',
  title: 'How we use your details',
  text: 'What we take.\n\nWhy.',
  contact: 'desk',
  purposes: [{ key: 'messages' as const, title: 'Messages', text: 'only if you agree' }],
  children: 'A parent or guardian registers a child.',
  translations: { hi: { title: 'उपयोग', text: 'क्या', children: 'माता-पिता बच्चे का पंजीकरण करते हैं।' } },
}

test('a notice has its purposes and who registers a child below the text, in each language its own', () => {
  expect(noticeIn(notice, 'en')).toEqual({
    title: 'How we use your details',
    paragraphs: [
      'What we take.',
      'Why.',
      'Messages: only if you agree',
      'A parent or guardian registers a child.',
    ],
    language: 'en',
  })
  expect(noticeIn(notice, 'hi').paragraphs).toEqual(['क्या', 'माता-पिता बच्चे का पंजीकरण करते हैं।'])
  expect(noticeIn(notice, 'ta').language).toBe('en')
})
