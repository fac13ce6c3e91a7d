import officeSettings from './en/office-settings.json'
import settings from './en/settings.json'

/** The English texts of the office's settings and of the checklist of the first day. */
export default { ...officeSettings, ...settings }
