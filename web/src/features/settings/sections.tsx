import type { ReactNode } from 'react'
import type { SectionKey, Settings } from './data/document'
import { AppointmentsForm } from './forms/appointments'
import { HoursForm } from './forms/hours'
import { NoticeForm } from './forms/notice'
import { PageForm } from './forms/page'
import {
  AccessForm,
  BoardForm,
  CheckInForm,
  ContactForm,
  DesksForm,
  LanguagesForm,
  LineForm,
  MessagesForm,
  VoiceForm,
} from './forms/simple'
import { TimeZone } from './forms/time-zone'

/** What a form shows besides the values of its section. */
export type Beside = {
  settings: Settings
  /** The numbers of the consultants' desks. */
  deskNumbers: ReactNode
}

/** The form of each section. */
export const forms: Record<SectionKey, (beside: Beside) => ReactNode> = {
  hours: ({ settings: { timeZone } }) => (
    <>
      <HoursForm />
      <TimeZone zone={timeZone} />
    </>
  ),
  contact: () => <ContactForm />,
  page: () => <PageForm />,
  languages: () => <LanguagesForm />,
  checkIn: () => <CheckInForm />,
  messages: () => <MessagesForm />,
  voice: () => <VoiceForm />,
  board: () => <BoardForm />,
  line: () => <LineForm />,
  desks: ({ deskNumbers }) => <DesksForm numbers={deskNumbers} />,
  appointments: () => <AppointmentsForm />,
  access: () => <AccessForm />,
  notice: () => <NoticeForm />,
}
