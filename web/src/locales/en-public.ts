import appointments from './en/appointments.json'
import auth from './en/auth.json'
import general from './en/general.json'
import landing from './en/landing.json'
import language from './en/language.json'
import line from './en/line.json'
import opening from './en/opening.json'
import problems from './en/problems.json'
import visiting from './en/visiting.json'

/** The English texts of the pages before sign-in, and of what every page has. */
export default {
  ...appointments,
  ...auth,
  ...general,
  ...landing,
  ...language,
  ...line,
  ...opening,
  ...problems,
  ...visiting,
}
