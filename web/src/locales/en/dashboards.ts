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
  ],
} as const

export const pa = {
  title: 'PA Dashboard',
  pending: { one: '{count} pending approval', many: '{count} pending approvals' },
  shortcuts: [
    { keys: 'F2', does: 'Go to the visitor who has waited longest' },
    { keys: 'Down, Enter', does: 'Choose the best match, or type a name' },
    { keys: 'Ctrl+Enter', does: 'Approve the visitor of this card' },
    { keys: 'Shift+F9', does: 'Deny the visitor of this card' },
  ],
} as const

export const consultant = {
  title: 'Consultant Dashboard',
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
