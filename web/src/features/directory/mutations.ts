import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import { api, payload } from '@/api/client'
import { renewAfter } from '@/api/renew'
import type { DirectoryBodies as Bodies, Role } from '@/api/types'
import { serverNow } from '@/clock'
import { fill } from '@/messages'
import { addEntry, removeEntry } from '@/shelf'
import { messages } from '@/staff-messages'
import type { Consultant, Service, Staff } from './models'
import { keepLink } from './invite-link'
import { directoryKeys } from './queries'

type TextForm = { name?: string; description?: string }
export type ServiceForm = Pick<Service, 'name' | 'estimatedTime'> &
  Partial<Pick<Service, 'description' | 'group'>> & {
    /** The translations by language; if omitted, the stored translations stay. */
    texts?: Readonly<Partial<Record<string, TextForm>>>
    /** The checklist; if omitted, the stored checklist stays. */
    papers?: Bodies['GivenServiceDocument'][]
  }

export const formOf = ({ name, description, estimatedTime, group, texts, papers }: Service): ServiceForm => ({
  name,
  description,
  estimatedTime,
  group,
  texts,
  papers,
})

/** The translations of the form; a language without a text is left out. */
const textsOf = (texts: NonNullable<ServiceForm['texts']>) =>
  Object.fromEntries(
    Object.entries(texts)
      .map(([language, { name = '', description = '' } = {}]) => [language, { name, description }] as const)
      .filter(([, { name, description }]) => name !== '' || description !== ''),
  )

const bodyOf = (
  { name, description = '', estimatedTime, texts, group, papers }: ServiceForm,
  active: boolean,
) => ({
  name,
  description,
  est_minutes: estimatedTime,
  is_active: active ? (1 as const) : (0 as const),
  ...(texts && { texts: textsOf(texts) }),
  ...(group ? { group } : {}),
  ...(papers ? { documents: papers } : {}),
})

const renewServices = (client: QueryClient) => client.invalidateQueries({ queryKey: directoryKeys.services })
export const renewStaff = (client: QueryClient) =>
  Promise.all([
    client.invalidateQueries({ queryKey: directoryKeys.users }),
    client.invalidateQueries({ queryKey: directoryKeys.consultants }),
  ])

/** Creates a service. */
export const addService = mutationOptions({
  mutationKey: ['directory', 'add-service'],
  mutationFn: (form: ServiceForm) => payload(api.POST('/api/services', { body: bodyOf(form, true) })),
  onSuccess: (_answer, _form, _onMutateResult, { client }) => renewServices(client),
  meta: { success: messages.directory.services.added, failure: messages.directory.services.saveFailed },
})

/** Updates a service, or changes whether it is active. */
export const saveService = mutationOptions({
  mutationKey: ['directory', 'save-service'],
  mutationFn: ({ service, form, active }: { service: Service; form: ServiceForm; active: boolean }) =>
    payload(
      api.PUT('/api/services/{id}', { params: { path: { id: service.id } }, body: bodyOf(form, active) }),
    ),
  onSuccess: (_answer, _form, _onMutateResult, { client }) => renewServices(client),
  meta: { success: messages.directory.services.saved, failure: messages.directory.services.saveFailed },
})

const savedText = (name: string) => fill(messages.directory.staff.saved, { name })

export type StaffForm = { name: string; email: string; role: Role }

/**
 * Creates a staff account. Resolves with the link for setting its password, or undefined if the account already
 * existed.
 */
export const addStaff = mutationOptions({
  mutationKey: ['directory', 'add-staff'],
  mutationFn: async (body: StaffForm, { client }) => {
    const answer = await payload(api.POST('/api/users', { body }))
    return 'invite_url' in answer ? keepLink(client, answer) : undefined
  },
  onSuccess: (_answer, _form, _onMutateResult, { client }) => renewStaff(client),
  meta: { success: messages.directory.staff.added, failure: messages.directory.staff.saveFailed },
})

export type StaffChange = { name: string; role: Role; specialization?: string[] }

/** Updates name, role and specializations. Name and role are sent only if they have changed. */
export const saveStaff = mutationOptions({
  mutationKey: ['directory', 'save-staff'],
  mutationFn: async ({ before, form }: { before: Staff; form: StaffChange }) => {
    const params = { path: { id: before.id } }
    const { name, role, specialization } = form
    const body = { ...(name !== before.name && { name }), ...(role !== before.role && { role }) }
    if (Object.keys(body).length > 0) await payload(api.PUT('/api/users/{id}', { params, body }))
    if (before.consultant && role === 'consultant' && specialization) {
      await payload(api.PUT('/api/consultants/{id}', { params, body: { specialization } }))
    }
  },
  onSuccess: (_answer, { before, form: { name, role } }, _onMutateResult, { client }) => {
    if (role !== before.role) {
      const sentence = fill(messages.directory.staff.roleChanged, { name, role: messages.auth.roles[role] })
      offerUndo(client, { id: before.id, name }, sentence)
    }
    return renewStaff(client)
  },
  meta: {
    success: (_answer: unknown, { before, form }: { before: Staff; form: StaffChange }) =>
      form.role === before.role ? savedText(form.name) : undefined,
    failure: messages.directory.staff.saveFailed,
  },
})

type CounterChange = { staff: Pick<Staff, 'id' | 'name'>; counter: string }

/** Saves the number that is suggested to a consultant whose desk has no number. */
export const saveCounter = mutationOptions({
  mutationKey: ['directory', 'save-counter'],
  mutationFn: ({ staff: { id }, counter }: CounterChange) =>
    payload(api.PUT('/api/consultants/{id}', { params: { path: { id } }, body: { counter } })),
  onSuccess: (_answer, _change, _onMutateResult, { client }) => renewStaff(client),
  meta: {
    success: (_answer: unknown, { staff: { name } }: CounterChange) => savedText(name),
    failure: messages.directory.staff.saveFailed,
  },
})

/** Saves the services of several consultants, one consultant after another. */
export const saveSkills = mutationOptions({
  mutationKey: ['directory', 'save-skills'],
  mutationFn: async (changes: readonly Pick<Consultant, 'id' | 'serves' | 'specialization'>[]) => {
    for (const { id, ...body } of changes) {
      const params = { path: { id } }
      await payload(api.PUT('/api/consultants/{id}', { params, body }))
    }
  },
  onSettled: (_answer, error, _changes, _onMutateResult, { client }) => renewAfter(error, renewStaff(client)),
  meta: { success: messages.life.skills.saved, failure: messages.life.skills.failed },
})

export const endSessions = mutationOptions({
  mutationKey: ['directory', 'end-sessions'],
  mutationFn: (id: string) =>
    payload(api.POST('/api/users/{id}/revoke-sessions', { params: { path: { id } } })),
  meta: {
    success: messages.directory.staff.sessionsEnded,
    failure: messages.directory.staff.endSessionsFailed,
  },
})

type Activity = { staff: Pick<Staff, 'id' | 'name' | 'role'>; active: boolean }

/** Activates or deactivates a member of staff. An activation also sends the role that the screen shows. */
export const setActive = mutationOptions({
  mutationKey: ['directory', 'set-active'],
  mutationFn: ({ staff: { id, role }, active }: Activity) =>
    payload(
      api.PUT('/api/users/{id}', {
        params: { path: { id } },
        body: { isActive: active, is_active: active, ...(active && { role }) },
      }),
    ),
  onSuccess: (_answer, { staff, active }, _onMutateResult, { client }) => {
    if (active) removeEntry(undoKey(staff))
    else offerUndo(client, staff, fill(messages.directory.staff.deactivated, { name: staff.name }))
    return renewStaff(client)
  },
  meta: {
    success: (_answer: unknown, { staff: { name }, active }: Activity) =>
      active ? fill(messages.directory.staff.activated, { name }) : undefined,
    failure: messages.directory.staff.saveFailed,
  },
})

/** How long the server allows an undo. */
const undoMs = 30_000

type Person = Pick<Staff, 'id' | 'name'>

const undoKey = ({ id }: Pick<Staff, 'id'>) => `staff/${id}`

/** Adds to the shelf an entry that undoes a change of a member of staff, as long as the server allows it. */
function offerUndo(client: QueryClient, { id, name }: Person, sentence: string) {
  addEntry({
    key: undoKey({ id }),
    text: sentence,
    sentence,
    until: serverNow() + undoMs,
    take: () => client.getMutationCache().build(client, undoStaff).execute({ id, name }),
  })
}

/** Undoes a deactivation or a change of role that this admin made within the last 30 seconds. No session ends. */
const undoStaff = mutationOptions({
  mutationKey: ['directory', 'undo-staff'],
  mutationFn: ({ id }: Person) => payload(api.POST('/api/users/{id}/undo', { params: { path: { id } } })),
  onSettled: (_answer, error, _staff, _onMutateResult, { client }) => renewAfter(error, renewStaff(client)),
  meta: {
    success: (_answer: unknown, { name }: Person) => fill(messages.directory.staff.undone, { name }),
    failure: messages.directory.staff.undoFailed,
  },
})
