import { globSync, readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { antdCss } from './build/antd-css.ts'
import { board } from './build/board.ts'
import { budgets } from './build/budgets.ts'
import { catalogues } from './build/catalogues.ts'
import { sharedFiles } from './build/chunks.ts'
import { deskWorker } from './build/desk-worker.ts'
import { needs } from './build/needs.ts'
import { officeDocument } from './build/office-document.ts'
import { offline } from './build/offline.ts'
import { paletteCss } from './build/palette-css.ts'
import { precompress } from './build/precompress.ts'
import { scrollBarSize } from './build/scroll-bar-size.ts'
import { shells } from './build/shells.ts'
import { silentIcons } from './build/silent-icons.ts'

const officeFile = process.env.OFFICE_FILE ?? '../services/office/office.json'
const backend = process.env.BAARI_URL ?? 'http://localhost:8080'

/** Tests that need modules of their own: a mock has no effect on a module that another test has loaded. */
const isolated = globSync('src/**/*.test.{ts,tsx}').filter((file) =>
  readFileSync(file, 'utf8').includes('vi.mock('),
)

/** Tests of modules that use a page's address, storage or document, or the mocked server. */
const needPage = new RegExp(
  [
    '/(drafts|new-build|auth-client|client|trace|live-routes|shared-connection|stream|one-click',
    'request-appointment|sentence|load-office|line-rules)\\.test',
  ].join('|'),
)

/** Tests of modules without a document: starting jsdom would take longer than the tests. */
const withoutPage = globSync('src/**/*.test.ts').filter(
  (file) => !isolated.includes(file) && !needPage.test(file),
)

/** Tests of components have the document of jsdom. */
const page = { environment: 'jsdom', setupFiles: ['src/test/setup.ts'] }

export default defineConfig({
  plugins: [
    react(),
    scrollBarSize(),
    silentIcons(),
    paletteCss(),
    antdCss(),
    officeDocument(officeFile),
    catalogues(),
    needs(),
    shells(),
    offline(),
    board(),
    deskWorker(),
    precompress(),
    budgets(),
  ],
  resolve: { tsconfigPaths: true },
  html: { cspNonce: '__CSP_NONCE__' },
  server: { proxy: { '/api': { target: backend, changeOrigin: true } } },
  build: {
    target: 'baseline-widely-available',
    manifest: true,
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'react',
              test: /node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]/,
              priority: 9,
            },
            // Every page but the landing page needs these. In files of their own they would weigh more.
            {
              name: 'form',
              test: /node_modules[\\/](antd[\\/]es[\\/](form|tooltip)|@rc-component[\\/](form|tooltip|trigger))[\\/]/,
              priority: 8,
            },
            ...sharedFiles(),
          ],
        },
      },
    },
  },
  test: {
    testTimeout: 120_000,
    restoreMocks: true,
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'mocks', ...page, include: isolated } },
      {
        extends: true,
        test: {
          name: 'modules',
          environment: 'node',
          include: [...withoutPage, 'scripts/*.test.ts'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'shared',
          ...page,
          include: ['src/**/*.test.{ts,tsx}'],
          exclude: [...isolated, ...withoutPage],
          // Test files share a document and modules: loading them for each file would take longer than the tests.
          isolate: false,
        },
      },
    ],
  },
})
