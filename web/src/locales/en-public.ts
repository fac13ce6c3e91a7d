import appointments from './en/appointments.json'
import auth from './en/auth.json'
import booking from './en/booking.json'
import connection from './en/connection.json'
import general from './en/general.json'
import landing from './en/landing.json'
import language from './en/language.json'
import opening from './en/opening.json'
import problems from './en/problems.json'
import visiting from './en/visiting.json'

/** The English texts of the pages before sign-in, and of what every page has. */
export default {
  ...appointments,
  ...auth,
  ...booking,
  ...connection,
  ...general,
  ...landing,
  ...language,
  ...opening,
  ...problems,
  ...visiting,
}
