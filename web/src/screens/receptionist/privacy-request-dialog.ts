import { lazy } from 'react'

/** The dialog that adds a privacy request to the register. It uses the texts of the admin's tabs. */
export const PrivacyRequestDialog = lazy(async () => {
  const { loadAdminTexts } = await import('@/staff-texts')
  await loadAdminTexts()
  return { default: (await import('@/features/privacy/request-dialogs')).PrivacyRequestDialog }
})
