import js from '@eslint/js'
import query from '@tanstack/eslint-plugin-query'
import { defineConfig, globalIgnores } from 'eslint/config'
import reactHooks from 'eslint-plugin-react-hooks'
import { readdirSync } from 'node:fs'
import tseslint from 'typescript-eslint'

// @ts-check
/** @param {string[]} names */
const visits = (...names) => names.map((name) => `features/visits/${name}`)

/** The folders of visits for the parts of a day. */
const stages = visits('register', 'decide', 'line', 'session', 'lists', 'attention')

/** Which folders of src each folder may not import: app -> screens -> features -> live, api, ui. A paired desk loads
 * offline, through the port in live; the board is a page of its own. In visits: stages -> dialogs -> slips -> parts ->
 * data.
 * @type {Record<string, string[]>} */
const forbidden = {
  screens: ['app', 'offline', 'board'],
  offline: ['app', 'screens', 'board'],
  features: ['app', 'screens', 'offline', 'board'],
  'features/visits/dialogs': stages,
  'features/visits/slips': [...visits('dialogs'), ...stages],
  'features/visits/parts': [...visits('dialogs', 'slips'), ...stages],
  'features/visits/data': [...visits('dialogs', 'slips', 'parts'), ...stages],
  board: ['app', 'screens', 'offline', 'features', 'telemetry'],
  live: ['app', 'screens', 'offline', 'features', 'board', 'ui'],
  api: ['app', 'screens', 'offline', 'features', 'board', 'live', 'ui'],
  ui: ['app', 'screens', 'offline', 'features', 'board', 'live', 'api'],
  telemetry: ['app', 'screens', 'offline', 'features', 'board', 'live', 'ui', 'theme'],
  theme: ['app', 'screens', 'offline', 'features', 'board', 'live', 'api', 'ui'],
}

/** @param {string} layer */
const foldersOf = (layer) =>
  readdirSync(new URL(`src/${layer}`, import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `${layer}/${entry.name}`)

/** Folders that do not import each other. */
const apart = [foldersOf('features'), foldersOf('screens'), stages]

/** All folders with a rule. A folder precedes its subfolders, whose rules replace its own. */
const folders = [...new Set([...Object.keys(forbidden), ...apart.flat()])].sort()

/** What a folder and those around it may not import.
 * @param {string} folder */
const forbiddenIn = (folder) =>
  folders
    .filter((one) => `${folder}/`.startsWith(`${one}/`))
    .flatMap((one) => [
      ...(forbidden[one] ?? []),
      ...(apart.find((group) => group.includes(one)) ?? []).filter((other) => other !== one),
    ])

/** @type {(patterns: string[], message: string) => import('eslint').Linter.RulesRecord} */
const restrict = (patterns, message) => ({
  'no-restricted-imports': [
    'error',
    {
      patterns: [
        { group: patterns, message },
        { group: ['../*'], message: 'Write @/ for another folder.' },
      ],
    },
  ],
})

const layers = folders.map((folder) => ({
  files: [`src/${folder}/**/*.{ts,tsx}`],
  ignores: ['**/*.test.{ts,tsx}'],
  rules: restrict(
    forbiddenIn(folder).map((other) => `@/${other}/**`),
    `${folder} must not import this folder: see the table of folders in eslint.config.js.`,
  ),
}))

/** No markup from strings: text that users type is shown as text. */
const noMarkup = [
  { selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']", message: 'Render text nodes.' },
  { selector: 'MemberExpression[property.name=/^(inner|outer)HTML$/]', message: 'Render text nodes.' },
]

/** A promise that nothing waits for needs a catch that acts: inBackground reports its error. */
const noSwallowing = {
  selector: [
    'UnaryExpression[operator="void"]',
    'CallExpression[callee.property.name="catch"]',
    'ArrowFunctionExpression[body.name="undefined"]',
  ].join(' > '),
  message: 'Act on the error, or report it with inBackground.',
}

/**
 * `void` drops the error of a promise. no-floating-promises reports it as a statement; this rule reports it inside an
 * expression too, such as a branch of a condition or the body of an arrow function.
 * @type {import('eslint').Rule.RuleModule}
 */
const noVoidPromise = {
  meta: { type: 'problem', schema: [], messages: { dropped: noSwallowing.message } },
  create: (context) => {
    /** @type {{ parserServices: { getTypeAtLocation?: (node: object) => import('typescript').Type } }} */
    const source = context.sourceCode
    return {
      /** @param {import('estree').UnaryExpression} node */
      'UnaryExpression[operator="void"]': (node) => {
        const type = source.parserServices.getTypeAtLocation?.(node.argument)
        const parts = type?.isUnion() ? type.types : [type]
        if (parts.some((part) => part?.getProperty('then'))) context.report({ node, messageId: 'dropped' })
      },
    }
  },
}

/** Selects text with Latin letters inside `place`: a literal, a branch of a condition, or a part of a template.
 * @type {(place: string) => string[]} */
const latin = (place) =>
  ['', '> ConditionalExpression ', '> LogicalExpression ']
    .map((branch) => `${place} ${branch}> Literal[value=/[A-Za-z]/]`)
    .concat(`${place} > TemplateLiteral > TemplateElement[value.raw=/[A-Za-z]/]`)

const textNames =
  '/^(title|subtitle|label|aria-label|alt|placeholder|text|description|extra|okText|cancelText)$/'

/** Text on screen, or the name of an element for assistive technology, outside the catalogue. */
const noLiteralText = [
  'JSXText[value=/[A-Za-z]/]',
  ...latin(':matches(JSXElement, JSXFragment) > JSXExpressionContainer'),
  `JSXAttribute[name.name=${textNames}] > Literal[value=/[A-Za-z]/]`,
  ...latin(`JSXAttribute[name.name=${textNames}] > JSXExpressionContainer`),
  ...latin(`Property[key.name=${textNames}]`),
].map((selector) => ({ selector, message: 'Put the text into src/locales/en.' }))

export default defineConfig(
  globalIgnores(['dist', 'src/api/*.d.ts', 'src/locales/english.d.ts', 'test-results', 'playwright-report']),
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  query.configs['flat/recommended'],
  reactHooks.configs.flat.recommended,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { baari: { rules: { 'no-void-promise': noVoidPromise } } },
    rules: {
      'baari/no-void-promise': 'error',
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-restricted-syntax': ['error', ...noMarkup, noSwallowing],
      '@typescript-eslint/no-floating-promises': ['error', { ignoreVoid: false }],
      '@typescript-eslint/consistent-type-definitions': ['error', 'type'],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
  layers,
  {
    files: ['src/**/*.tsx'],
    // Tests have data of their own; the styles are built from components that are on no screen.
    ignores: ['**/*.test.tsx', 'src/test/**', 'src/theme/antd-styles.tsx'],
    rules: { 'no-restricted-syntax': ['error', ...noMarkup, noSwallowing, ...noLiteralText] },
  },
  {
    files: ['e2e/**/*.spec.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          name: '@playwright/test',
          importNames: ['test', 'expect'],
          message: 'Those of ./test also fail on what goes wrong in the browser.',
        },
      ],
    },
  },
  {
    files: ['public/*.js'],
    name: 'plain scripts',
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'addEventListener',
          'caches',
          'document',
          'fetch',
          'localStorage',
          'location',
          'matchMedia',
          'navigator',
          'PerformanceObserver',
          'self',
          'setTimeout',
          'URL',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
)
