import { expect, type Locator, type Page } from '@playwright/test'
import { dialog, press, ready, failWith, shows, type Screen } from './scene'

const reception = '/dashboard/receptionist'

async function sendDialog(page: Page): Promise<Locator> {
  await ready(page, reception)
  await press(page, /^Notifications,/)
  await press(page, 'Send notification')
  const sending = page.getByRole('dialog', { name: 'Send notification' })
  await expect(sending).toBeVisible()
  return sending
}

/** The dialogs and drawers of the top bar, on every dashboard. */
export const dialogs: Screen = {
  name: 'top-bar',
  role: 'reception',
  scenes: {
    notifications: async (page) => {
      await ready(page, reception)
      await press(page, /^Notifications,/)
      return shows(page, 'Getting started')
    },
    'all-notifications': async (page) => {
      await ready(page, reception)
      await press(page, /^Notifications,/)
      await press(page, 'View All Notifications')
      return shows(page, 'All Notifications')
    },
    profile: async (page) => {
      await ready(page, reception)
      await press(page, /Profile$/)
      return shows(page, 'Edit Profile')
    },
    'edit-profile': async (page) => {
      await ready(page, reception)
      await press(page, /Profile$/)
      await press(page, 'Edit Profile')
      const name = page.getByRole('dialog', { name: 'Edit Profile' }).getByLabel('Name')
      await expect(name).toBeVisible()
      return name
    },
    'account-settings': async (page) => {
      await ready(page, reception)
      await press(page, /Profile$/)
      await press(page, 'Account Settings')
      return shows(page, 'New email')
    },
    'account-settings-errors': async (page) => {
      await ready(page, reception)
      await press(page, /Profile$/)
      await press(page, 'Account Settings')
      await press(page, 'Change Email')
      await press(page, 'Change Password')
      return shows(page, 'Password is required')
    },
    'send-notification': sendDialog,
    'send-notification-errors': async (page) => {
      await press(await sendDialog(page), 'Send notification')
      return shows(page, 'Message is required')
    },
    'send-notification-failed': async (page) => {
      await failWith(page, '**/api/stream/notify', 503, 'The service is not available. Please try again.')
      const sending = await sendDialog(page)
      await sending.getByLabel('Message').fill('The printer has paper again')
      await press(sending, 'Send notification')
      return shows(page, 'Failed to send notification')
    },
    keys: async (page) => {
      await ready(page, reception)
      await press(page, /Profile$/)
      await press(page, /^Keyboard shortcuts/)
      return dialog(page)
    },
  },
}
