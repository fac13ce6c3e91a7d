import { mutationOptions } from '@tanstack/react-query'
import { api, payload } from '@/api/client'
import type { Bodies, Desk, Line } from '@/api/types'
import { inBackground } from '@/in-background'
import { messages } from '@/staff-messages'
import { desksQuery, lineQuery, visitKeys } from './queries'

export type DeskChange = Bodies['ChangeDesk']

const put = (desks: readonly Desk[], desk: Desk) =>
  desks.map((one) => (one.consultantId === desk.consultantId ? desk : one))

export const changeDesk = mutationOptions({
  mutationKey: ['visits', 'desk'],
  mutationFn: async ({ id, change }: { id: string; change: DeskChange }) =>
    (await payload(api.PUT('/api/visits/desks/{id}', { params: { path: { id } }, body: change }))).desk,
  onSuccess: (desk, _variables, _onMutateResult, { client }) => {
    client.setQueryData(desksQuery.queryKey, (desks) => desks && put(desks, desk))
    client.setQueryData(
      lineQuery.queryKey,
      (line?: Line) => line && { ...line, desks: put(line.desks, desk) },
    )
  },
  onError: (_error, _variables, _onMutateResult, { client }) =>
    inBackground(client.invalidateQueries({ queryKey: visitKeys.desks })),
  meta: { failure: messages.life.desk.failed },
})
