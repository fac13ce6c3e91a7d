import type { components as Audit } from './audit'
import type { components as Auth } from './auth'
import type { components as Directory } from './directory'
import type { components as Lobby } from './lobby'
import type { components as Realtime } from './realtime'
import type { components as Visits } from './visits'

export type Visit = Visits['schemas']['Visit']
/** A registration as entered: the request without `reception_id`, and with one name for the service's id. */
export type NewVisit = Omit<Bodies['CreateVisit'], 'service_id' | 'serviceId' | 'reception_id'> & {
  serviceId: string
}
export type Stage = Visits['schemas']['Stage']
export type VisitClass = Visits['schemas']['Class']
export type VisitQueue = Visits['schemas']['VisitQueue']
export type HoldReason = Visits['schemas']['HoldReason']
export type UndoableAction = Visits['schemas']['Action']
export type Line = Visits['schemas']['LineAnswer']
export type Place = Visits['schemas']['Place']
export type Forecast = Visits['schemas']['Forecast']
export type Attention = Visits['schemas']['Attention']
export type Accuracy = Visits['schemas']['Accuracy']
export type Demand = Visits['schemas']['Demand']
export type Expected = Visits['schemas']['Expected']
export type Score = Visits['schemas']['Score']
export type Reason = Visits['schemas']['Reason']
export type Desk = Visits['schemas']['Desk']
export type DeskState = Visits['schemas']['DeskState']
export type Document = Visits['schemas']['Document']
/** The schemas of the visits service by name, such as request bodies. */
export type Bodies = Visits['schemas']
/** The schemas of the directory service by name, such as request bodies. */
export type DirectoryBodies = Directory['schemas']
export type Service = Directory['schemas']['Service']
export type Consultant = Directory['schemas']['Consultant']
export type Appointment = Directory['schemas']['Appointment']
/** An appointment as staff see it. */
export type StaffAppointment = Directory['schemas']['StaffAppointment']
export type AppointmentStatus = Directory['schemas']['AppointmentStatus']
export type AppointmentDay = Directory['schemas']['AppointmentDay']
export type DaySlot = AppointmentDay['slots'][number]
export type SlotState = Directory['schemas']['SlotState']
/** A day and a time of day that can be chosen for an appointment. */
export type Slot = Directory['schemas']['Slot']
export type Slots = Directory['schemas']['SlotsAnswer']
export type CalendarFeed = Directory['schemas']['CalendarFeed']
export type DueDate = Directory['schemas']['DueDate']
export type SaveDueDate = Directory['schemas']['SaveDueDate']
export type Arrival = Lobby['schemas']['Arrival']
export type VisitorLink = Lobby['schemas']['Link']
export type Channel = Lobby['schemas']['Channel']
export type Cost = Lobby['schemas']['Cost']
export type Costs = Lobby['schemas']['Costs']
export type Return = Lobby['schemas']['Return']
export type Visitor = NonNullable<Visits['schemas']['VisitorAnswer']['visitor']>
export type Dashboard = Audit['schemas']['Dashboard']
export type Figures = Audit['schemas']['Figures']
export type Tally = Audit['schemas']['Tally']
export type AuditRecord = Audit['schemas']['AuditRecord']
export type Comparison = Audit['schemas']['Comparison']
export type Span = Audit['schemas']['Span']
export type Register = Audit['schemas']['Register']
export type RegisterEntry = Audit['schemas']['RegisterEntry']
export type AuditEntity = Audit['schemas']['AuditEntity']
/** A call as a paired screen receives it. */
export type BoardCallEvent = Realtime['schemas']['BoardCallEvent']
/** An event of the live stream that staff receive. */
export type LiveEvent = Exclude<Realtime['schemas']['LiveEvent'], BoardCallEvent>
export type Device = Auth['schemas']['Device']
export type Account = Auth['schemas']['User']
export type ChangeDevice = Auth['schemas']['ChangeDevice']
export type NotificationType = Realtime['schemas']['NotificationType']
export type Role = Realtime['schemas']['Role']
