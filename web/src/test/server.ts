import { setupServer } from 'msw/node'

/** The mock server of the unit tests; each test adds its handlers. */
export const server = setupServer()
