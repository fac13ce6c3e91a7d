/** The e-mail pattern of every form: one @, no two dots in a row, an ending of letters. The services validate again. */
export const emailAddress = /^(?!.*\.\.)[a-z0-9._%+'-]+@[a-z0-9.-]+\.[a-z]{2,}$/i

/** A typed or pasted address without spaces and invisible characters. */
export const typedAddress = (typed: string) => typed.replace(/[\p{Cf}\p{White_Space}]/gu, '')
