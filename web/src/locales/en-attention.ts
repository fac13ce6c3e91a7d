import arrivals from './en/arrivals.json'
import attention from './en/attention.json'

/** The English texts of what needs attention. They are loaded after the dashboard. */
export default { ...arrivals, ...attention }
