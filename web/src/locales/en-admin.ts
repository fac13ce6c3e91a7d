import accuracy from './en/accuracy.json'
import dueDates from './en/due-dates.json'
import privacy from './en/privacy.json'

/** The English texts that are loaded with a tab of the admin. */
export default { ...accuracy, ...dueDates, ...privacy }
