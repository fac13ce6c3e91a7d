export const dashboard = {
  loading: 'Loading Dashboard',
  loadingText: 'Opening your dashboard.',
  kicker: 'Token',
  ticket: { token: 'T-001', line: 'Your desk', aside: 'is next' },
  dashboards: 'Dashboards',
  receptionist: 'Receptionist',
  pa: 'PA',
  consultant: 'Consultant',
  admin: 'Admin',
  skip: 'Skip to content',
  theme: { light: 'Theme: light', dark: 'Theme: dark', system: 'Theme: system' },
} as const

export const reception = {
  title: 'Receptionist Dashboard',
  today: { one: '{count} visitor today', many: '{count} visitors today' },
  tabs: { queue: 'Today', appointments: 'Appointment Requests' },
  waitingRequests: 'not answered yet',
  fromRequest: 'Requested for {day}, {time}: {name}',
  shortcuts: [
    { keys: 'F2', does: 'New visitor: go to Visitor Name' },
    {
      keys: 'Enter',
      does: 'After the phone number: use the name that was found. Otherwise: create the token',
    },
    { keys: 'Ctrl+Enter', does: 'Create the token from any field' },
    { keys: 'F8', does: "Search today's list" },
    { keys: 'Shift+F8', does: 'Appointment requests' },
    { keys: 'F9', does: 'Print the token' },
    { keys: 'Shift+F9', does: 'Show the token large, for the visitor to read' },
    { keys: 'Ctrl+Delete', does: 'Open visits with the typed phone number' },
    { keys: 'Ctrl+F8', does: 'Call the visitor of the chosen row again' },
    { keys: 'Ctrl+Shift+F8', does: 'Put the visitor of the chosen row back in line' },
    { keys: 'Ctrl+F9', does: 'Undo your last change' },
  ],
} as const

export const pa = {
  title: 'PA Dashboard',
  pending: { one: '{count} pending approval', many: '{count} pending approvals' },
  shortcuts: [
    { keys: 'F2', does: 'Go to the visitor who has waited longest' },
    { keys: 'Down, Enter', does: 'Choose the best match, or type a name' },
    { keys: 'Ctrl+Enter', does: 'Approve the visitor of this card' },
    { keys: 'Ctrl+Shift+Enter', does: 'Send the visitor of this card to the line' },
    { keys: 'Shift+F9', does: 'Deny the visitor of this card' },
    { keys: 'F8', does: 'Go to the line' },
    { keys: 'Up, Down', does: 'In the line: choose a visitor' },
    { keys: 'Alt+Up, Alt+Down', does: 'In the line: move the visitor' },
    { keys: 'Enter', does: 'In the line: open the menu of the visitor' },
    { keys: 'Ctrl+F9', does: 'Undo your last change' },
  ],
  tabs: { pending: 'Pending Approvals', line: 'Line' },
} as const

export const consultant = {
  title: 'Consultant Dashboard',
  shortcuts: [
    { keys: 'F2', does: 'Next visitor; once called, start the session' },
    { keys: 'F8', does: 'Call the visitor again' },
    { keys: 'Shift+F8', does: 'The visitor is not here' },
    { keys: 'F9', does: 'Hold the called visitor or the session' },
    { keys: 'Shift+F9', does: 'Transfer the called visitor or the session' },
    { keys: 'Ctrl+Enter', does: 'Complete the session' },
    { keys: 'Ctrl+F9', does: 'Undo your last change' },
  ],
} as const

export const admin = {
  title: 'Admin Dashboard',
  tabs: {
    analytics: 'Analytics',
    visitors: 'Visitors',
    services: 'Services',
    staff: 'Staff',
    audit: 'Audit Trail',
  },
} as const
