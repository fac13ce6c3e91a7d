import { http, HttpResponse } from 'msw'
import office from 'virtual:office'
import { expect, test } from 'vitest'
import { server } from '@/test/server'
import { loadOffice } from './load-office'

const backend = { ...office, brand: 'Answered by the backend' }
const copy = { ...office, brand: 'Read from the copy' }

test("the backend's document is preferred", async () => {
  server.use(
    http.get('/api/office', () => HttpResponse.json(backend)),
    http.get('/office.json', () => HttpResponse.json(copy)),
  )
  expect(await loadOffice()).toEqual(backend)
})

test.each([
  ['is unavailable', () => HttpResponse.error()],
  ['is starting', () => HttpResponse.json({ error: 'Bad gateway' }, { status: 502 })],
  ['is a file host that answers its front page', () => HttpResponse.html('<!doctype html>')],
  ['answers another document', () => HttpResponse.json({ hello: 'world' })],
])('if the backend %s, the copy beside index.html is used', async (_case, answer) => {
  server.use(
    http.get('/api/office', answer),
    http.get('/office.json', () => HttpResponse.json(copy)),
  )
  expect(await loadOffice()).toEqual(copy)
})

test('without either document the promise rejects', async () => {
  server.use(
    http.get('/api/office', () => HttpResponse.error()),
    http.get('/office.json', () => HttpResponse.error()),
  )
  await expect(loadOffice()).rejects.toThrow('No office document could be read')
})
