/** An e-mail address as every form takes it: one at, no two dots in a row, an ending of letters. The services decide. */
export const emailAddress = /^(?!.*\.\.)[a-z0-9._%+'-]+@[a-z0-9.-]+\.[a-z]{2,}$/i
