import { lazy } from 'react'

/** The dialog that adds a person's request about data to the register. Its texts are those of the admin's tabs. */
export const RequestDialog = lazy(async () => {
  const { loadAdminTexts } = await import('@/staff-texts')
  await loadAdminTexts()
  return { default: (await import('@/features/privacy/request-dialogs')).RequestDialog }
})
