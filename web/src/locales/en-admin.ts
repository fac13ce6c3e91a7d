import accuracy from './en/accuracy.json'
import dueDates from './en/due-dates.json'
import privacy from './en/privacy.json'
import auditRecords from './en/audit-records.json'
import office from './en/office.json'
import reports from './en/reports.json'
import screens from './en/screens.json'
import serviceTexts from './en/service-texts.json'
import visitorPages from './en/visitor-pages.json'
import voices from './en/voices.json'
import trailFields from './en/trail-fields.json'
import trailActions from './en/trail-actions.json'
import trailWords from './en/trail-words.json'

/** The English texts of tabs of the admin, and of reception's dialog of privacy requests. */
export default {
  ...trailActions,
  ...trailFields,
  ...trailWords,
  ...accuracy,
  ...dueDates,
  ...privacy,
  ...auditRecords,
  ...office,
  ...reports,
  ...screens,
  ...serviceTexts,
  ...visitorPages,
  ...voices,
}
