/** The e-mail pattern of every form: one @, no two dots in a row, an ending of letters. The services validate again. */
export const emailAddress = /^(?!.*\.\.)[a-z0-9._%+'-]+@[a-z0-9.-]+\.[a-z]{2,}$/i
