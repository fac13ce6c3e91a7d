// What the application uses of a paired desk, in one file.
export { OfflineBand } from './band'
export { askToLeave, forgetPairedDesk } from './leave'
export { notedPapers, noteLeft, notePapers } from './noted'
export { PairDesk } from './pair'
export { keepPerson, keptPerson } from './person'
export { registerAtPairedDesk } from './register-here'
