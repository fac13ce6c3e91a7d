// better-auth's own server as its documentation sets it up for Node and PostgreSQL, with the fields that Baari's
// accounts have beside its own. Limits are off, as they are at the other server.

import { createServer } from 'node:http'

import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { toNodeHandler } from 'better-auth/node'
import pg from 'pg'

const { DATABASE_URL, BASE_URL, PORT, SECRET } = process.env

const auth = betterAuth({
  baseURL: BASE_URL,
  secret: SECRET,
  database: new pg.Pool({ connectionString: DATABASE_URL, max: 10 }),
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  user: {
    additionalFields: {
      role: { type: 'string', defaultValue: 'reception', input: false },
      isActive: { type: 'boolean', defaultValue: true, input: false },
    },
  },
})

const { runMigrations } = await getMigrations(auth.options)
await runMigrations()
createServer(toNodeHandler(auth)).listen(Number(PORT), '127.0.0.1')
