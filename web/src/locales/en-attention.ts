import arrivals from './en/arrivals.json'
import attention from './en/attention.json'
import people from './en/people.json'

/** The English texts of what needs attention, and of people who wait. They are loaded after the dashboard. */
export default { ...arrivals, ...attention, ...people }
