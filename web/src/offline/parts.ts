// What the application uses of a paired desk, in one file.
export { DeskBand } from './band'
export { askToLeave, forgetDesk } from './leave'
export { notedPapers, noteLeft, notePapers } from './noted'
export { PairDesk } from './pair'
export { keepPerson, keptPerson } from './person'
export { registerAtDesk } from './register-here'
