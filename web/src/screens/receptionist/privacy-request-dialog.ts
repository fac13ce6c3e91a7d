import { chunk } from '@/chunk'

/** The dialog that adds a privacy request to the register. It uses the texts of the admin's tabs. */
export const PrivacyRequestDialog = chunk(async () => {
  const { loadAdminTexts } = await import('@/staff-texts')
  await loadAdminTexts()
  return (await import('@/features/privacy/request-dialogs')).PrivacyRequestDialog
})
