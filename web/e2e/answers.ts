import type { Page } from '@playwright/test'

/*
 * What the page says after a change: a text for two seconds, then a sentence. On a slow machine, a test may
 * see only the sentence. That the text comes first is tested in shelf.spec.ts.
 */
export const registered = /^(Token T-\d+ created successfully|T-\d+ registered\.)$/
export const approved = /^(Visitor approveed successfully|T-\d+ approved\.)$/
export const denied = /^(Visitor denyed successfully|T-\d+ denied\.)$/
export const completed = /^(Session completed|Session with T-\d+ completed\.)$/

/**
 * Waits for a text that is shown for two seconds and has no sentence after it. Call this before the action:
 * it looks in every frame, also after a page load, but an assertion looks only once a second.
 */
export const flashes = (page: Page, text: string) =>
  page.waitForFunction((words) => document.body.textContent.includes(words), text)
