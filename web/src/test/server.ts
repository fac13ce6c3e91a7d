import { setupServer } from 'msw/node'

/** The mocked edge of the unit tests; each test states its own answers. */
export const server = setupServer()
