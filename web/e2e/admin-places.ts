const view = (name: string) => `/dashboard/admin?tab=analytics&view=${name}`
const page = (name: string) => `/dashboard/admin?tab=office&page=${name}`

/** The addresses of the views of Analytics and of the pages of Office. */
export const adminPlaces = {
  reports: view('reports'),
  accuracy: view('accuracy'),
  settings: page('settings'),
  appointments: page('appointments'),
  waitingRoom: page('waiting-room'),
  messages: page('messages'),
  dueDates: page('due-dates'),
  privacy: page('privacy'),
}
