import account from './en/account.json'
import audit from './en/audit.json'
import bookedToday from './en/booked-today.json'
import calendars from './en/calendars.json'
import consents from './en/consents.json'
import dashboards from './en/dashboards.json'
import day from './en/day.json'
import desk from './en/desk.json'
import directory from './en/directory.json'
import dueNames from './en/due-names.json'
import expected from './en/expected.json'
import forecast from './en/forecast.json'
import life from './en/life.json'
import notifications from './en/notifications.json'
import papers from './en/papers.json'
import visitorLanguage from './en/visitor-language.json'
import visitorLink from './en/visitor-link.json'
import visitorNotice from './en/visitor-notice.json'
import visits from './en/visits.json'

/** The English texts of the dashboards. */
export default {
  ...account,
  ...audit,
  ...bookedToday,
  ...calendars,
  ...consents,
  ...dashboards,
  ...day,
  ...desk,
  ...directory,
  ...dueNames,
  ...expected,
  ...forecast,
  ...life,
  ...notifications,
  ...papers,
  ...visitorLanguage,
  ...visitorLink,
  ...visitorNotice,
  ...visits,
}
