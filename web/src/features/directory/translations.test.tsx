import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { serviceOf } from './models'
import { MissingHome, MissingNames, MissingNotice } from './translations'

const offered = ['en', 'hi', 'kn'] as const
const name = (text: string) => ({ name: text, description: '' })
const paper = (labels: Record<string, string>) => ({ key: 'pan', label: 'PAN card', required: true, labels })
const service = (texts: object, ...documents: ReturnType<typeof paper>[]) =>
  serviceOf({
    id: 's',
    name: 'Tax Planning',
    texts: texts as Record<string, ReturnType<typeof name>>,
    documents,
  })

test('a service names how many languages its name and its papers have', () => {
  const { rerender } = render(
    <MissingNames service={service({ hi: name('कर नियोजन') }, paper({}))} offered={offered} />,
  )
  expect(screen.getByText('Named in 1 of 2 other languages')).toBeVisible()
  expect(screen.getByText('Papers named in 0 of 2 other languages')).toBeVisible()

  const both = { hi: name('कर नियोजन'), kn: name('ತೆರಿಗೆ ಯೋಜನೆ') }
  rerender(
    <MissingNames
      service={service(both, paper({ hi: 'पैन', kn: 'ಪ್ಯಾನ್' }), paper({ hi: 'पैन' }))}
      offered={offered}
    />,
  )
  expect(screen.getByText('Papers named in 1 of 2 other languages')).toBeVisible()
  expect(screen.queryByText(/^Named/)).toBeNull()

  rerender(<MissingNames service={service(both)} offered={offered} />)
  expect(screen.queryByText(/other languages/)).toBeNull()
})

test('the languages of the office that the privacy notice is not in are named', () => {
  const translation = { title: 'शीर्षक', text: 'पाठ' }
  const { rerender } = render(
    <MissingNotice notice={{ translations: { hi: translation, ta: translation } }} offered={offered} />,
  )
  expect(screen.getByText('The privacy notice has no translation: ಕನ್ನಡ')).toBeVisible()
  rerender(
    <MissingNotice notice={{ translations: { hi: translation, kn: translation } }} offered={offered} />,
  )
  expect(screen.queryByText(/privacy notice/)).toBeNull()
})

test('the languages of the office that the texts of the home page are not all in are named', () => {
  const office = (
    texts: Record<string, { title: string; text: string }>,
    certified: Record<string, string>,
  ) => ({
    whyUs: [{ texts }],
    certifications: ['Company Secretaries'],
    certificationTexts: { hi: { 'Company Secretaries': 'कंपनी सचिव' }, kn: certified },
  })
  const reason = { title: 'शीर्षक', text: 'पाठ' }
  const certified = { 'Company Secretaries': 'ಕಂಪನಿ ಕಾರ್ಯದರ್ಶಿಗಳು' }
  const message = (names: string) =>
    `The home page's reasons and certifications have no translation: ${names}`
  const { rerender } = render(<MissingHome office={office({ hi: reason }, certified)} offered={offered} />)
  expect(screen.getByText(message('ಕನ್ನಡ'))).toBeVisible()
  rerender(<MissingHome office={office({ hi: { ...reason, text: '' }, kn: reason }, {})} offered={offered} />)
  expect(screen.getByText(message('हिन्दी, ಕನ್ನಡ'))).toBeVisible()
  rerender(<MissingHome office={office({ hi: reason, kn: reason }, certified)} offered={offered} />)
  expect(screen.queryByText(/home page/)).toBeNull()
})
