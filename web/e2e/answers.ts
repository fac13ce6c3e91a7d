/*
 * The answers to changes: each is a text for two seconds and then a sentence, so a slow machine may see the sentence
 * only. That the text comes first is tested in shelf.spec.ts.
 */
export const registered = /^(Token T-\d+ created successfully|T-\d+ registered\.)$/
export const approved = /^(Visitor approveed successfully|T-\d+ approved\.)$/
export const denied = /^(Visitor denyed successfully|T-\d+ denied\.)$/
