export const app = {
  name: 'Baari',
  motto: 'your turn',
  microprint: 'baari your turn',
  loading: 'Loading...',
} as const

export const request = {
  failed: 'An error occurred',
  timedOut: 'The server took too long to respond. Check your connection and try again.',
  tryAgain: 'Try again',
} as const

export const live = {
  connected: 'Connected',
  disconnected: 'Disconnected',
  unavailable: 'Real-time updates are unavailable. Please refresh the page.',
  lastUpdate: 'Last updated {time}',
  lastUpdateAgo: 'Last updated {time}, {minutes} min ago',
  newVisit: 'Token {token} - {name} ({service})',
  approved: 'Token {token} approved for {consultant}',
  /** For a visitor who waits for any consultant. */
  nextFree: 'the next free consultant',
  called: 'Token {token}: {consultant}, desk {counter}',
  calledNowhere: 'Token {token}: {consultant}',
  denied: 'Token {token} was denied',
  started: 'Token {token} session has started',
  completed: 'Token {token} session completed',
} as const

export const records = {
  nothing: '-',
} as const

export const shortcuts = {
  open: 'Shortcuts',
  title: 'Keyboard shortcuts',
} as const

export const notFound = {
  title: 'Page Under Construction',
  text: 'This page does not exist. Go back to the home page.',
  kicker: 'Token',
  ticket: { token: 'T-404', line: 'This counter', aside: 'not open yet' },
  home: 'Go Back Home',
} as const
