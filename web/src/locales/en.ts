import { profile, settings } from './en/account'
import { appointments } from './en/appointments'
import { audit } from './en/audit'
import { auth, forgotPassword, register, resetPassword, signIn, stopEmailChange } from './en/auth'
import { admin, consultant, dashboard, pa, reception } from './en/dashboards'
import { debug } from './en/debug'
import { directory } from './en/directory'
import { app, live, notFound, records, request, shortcuts } from './en/general'
import { landing } from './en/landing'
import { life, stages } from './en/life'
import { notifications } from './en/notifications'
import { problems } from './en/problems'
import { visits } from './en/visits'

/** The English catalogue. Its literals are the type of every catalogue: keys and placeholders. */
export const en = {
  admin,
  app,
  appointments,
  audit,
  auth,
  consultant,
  dashboard,
  debug,
  directory,
  forgotPassword,
  landing,
  life,
  live,
  notFound,
  notifications,
  pa,
  problems,
  profile,
  reception,
  records,
  register,
  request,
  resetPassword,
  settings,
  shortcuts,
  signIn,
  stages,
  stopEmailChange,
  visits,
}
