import { expect, test } from 'vitest'
import { textOf, withCertifications, withName, withText } from './certifications'

const page = {
  certifications: ['Chartered Accountants', 'GST Practitioners'],
  certificationTexts: { hi: { 'Chartered Accountants': 'सनदी लेखाकार' } },
}

test('a certification that is renamed keeps its translations', () => {
  const renamed = withName(page, 0, 'Accountants')
  expect(renamed).toEqual({
    certifications: ['Accountants', 'GST Practitioners'],
    certificationTexts: { hi: { Accountants: 'सनदी लेखाकार' } },
  })
  expect(textOf(renamed, 'Accountants', 'hi')).toBe('सनदी लेखाकार')
})

test('a certification that is removed takes its translations with it', () => {
  expect(withCertifications(page, ['GST Practitioners'])).toEqual({
    certifications: ['GST Practitioners'],
    certificationTexts: {},
  })
})

test('a translation is set and taken away', () => {
  const named = withText(page, 'GST Practitioners', 'kn', 'ಜಿಎಸ್‌ಟಿ ವೃತ್ತಿಪರರು')
  expect(textOf(named, 'GST Practitioners', 'kn')).toBe('ಜಿಎಸ್‌ಟಿ ವೃತ್ತಿಪರರು')
  expect(withText(named, 'GST Practitioners', 'kn', '')).toEqual(page)
})
