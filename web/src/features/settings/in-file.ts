import { fill } from '@/messages'
import { messages } from '@/settings-messages'

/** Writes the office document of the installation to a file. */
const command = 'baarictl office export'

/** Says where the settings are changed that the product does not change. */
export const inFile = fill(messages.officeSettings.inFile, { command })
