import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { api, payload } from '@/api/client'
import { Fault } from '@/api/fault'
import type { NotificationType, Role } from '@/api/types'
import { messages } from '@/staff-messages'

export const notificationKeys = { received: ['notifications', 'received'] as const }

/** Notifications to the caller's role, newest first. */
export const receivedQuery = queryOptions({
  queryKey: notificationKeys.received,
  queryFn: async ({ signal }) =>
    (await payload(api.GET('/api/stream/notifications', { params: { query: { limit: 50 } }, signal })))
      .notifications,
})

export type NewNotification = { message: string; type: NotificationType; target_roles?: Role[] }

/** Sends a notification to the given roles; none means all. Faults other than 401 get their own message. */
export const sendNotification = mutationOptions({
  mutationKey: ['notifications', 'send'],
  mutationFn: async ({ notification, key }: { notification: NewNotification; key: string }) => {
    const params = { header: { 'Idempotency-Key': key } }
    try {
      await payload(api.POST('/api/stream/notify', { body: notification, params }))
    } catch (cause) {
      throw cause instanceof Fault ? cause.withMessage(messages.notifications.sendFailed) : cause
    }
  },
  meta: { success: messages.notifications.sent, failure: messages.notifications.sendFailed },
})
