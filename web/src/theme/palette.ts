/**
 * Every colour of Baari, defined once. Light is "Ledger" (eye-ease green account paper, blue-black ink), dark is
 * "Carbon" (carbon-copy paper). Ant Design reads the colours through theme.ts, plain CSS through the custom properties
 * --b-*.
 */
export type Mode = 'light' | 'dark'
export type VisitStatus = 'new' | 'approved' | 'in-session' | 'completed' | 'denied'

export const palette = {
  light: {
    canvas: '#EBF0E8',
    surface: '#FBFDFA',
    raised: '#FFFFFF',
    sunken: '#F1F5EE',
    line: '#D3DCD0',
    lineStrong: '#7A877F',
    rule: '#DDE5DA',
    ink: '#131A30',
    ink2: '#3D465F',
    ink3: '#4B546A',
    inkInverse: '#FFFFFF',
    neel: '#22307A',
    neelHover: '#2F409A',
    neelActive: '#182358',
    neelSoft: '#E3E7F4',
    neelSoftHover: '#D5DBEF',
    bahi: '#941A22',
    bahiOn: '#F7FAF0',
    mark: '#941A22',
    ticketEdge: '#941A22',
    slotEdge: '#131A30',
    slotFace: '#2B3450',
    margin: '#D9A3A3',
    stitch: '#C2575B',
    thread: '#EBD9CF',
    ticket: '#F4F9EF',
    ticketInk: '#131A30',
    ticketInk2: '#3D465F',
    ticketLine: '#9FB59B',
    token: '#DDE7D8',
    tokenInk: '#131A30',
    danger: '#A61B1B',
    dangerSoft: '#FCE9E7',
    focus: '#22307A',
    status: {
      new: { fg: '#27560A', bg: '#E6F3D6', edge: '#A9CE83' },
      approved: { fg: '#694900', bg: '#FFEFB5', edge: '#DDBB45' },
      'in-session': { fg: '#FFFFFF', bg: '#03624A', edge: '#03624A' },
      completed: { fg: '#434B4C', bg: '#E6EAE7', edge: '#BFC8C2' },
      denied: { fg: '#8F1414', bg: '#FCE4E1', edge: '#EBAFA8' },
    },
  },
  dark: {
    canvas: '#0C101C',
    surface: '#141929',
    raised: '#1B2135',
    sunken: '#101524',
    line: '#2A3148',
    lineStrong: '#6C7693',
    rule: '#222940',
    ink: '#E9EDF6',
    ink2: '#B6BED2',
    ink3: '#A2ACC3',
    inkInverse: '#0C101C',
    neel: '#AEBBFA',
    neelHover: '#C3CDFF',
    neelActive: '#94A3EC',
    neelSoft: '#222A4A',
    neelSoftHover: '#2B3560',
    bahi: '#6E1219',
    bahiOn: '#F7FAF0',
    mark: '#C23A42',
    ticketEdge: '#941A22',
    slotEdge: '#2A3148',
    slotFace: '#0C101C',
    margin: '#6B3A45',
    stitch: '#B4565C',
    thread: '#D9BFB5',
    ticket: '#E3ECDD',
    ticketInk: '#131A30',
    ticketInk2: '#3D465F',
    ticketLine: '#92A88E',
    token: '#2A3350',
    tokenInk: '#E9EDF6',
    danger: '#FF9C93',
    dangerSoft: '#3A1B20',
    focus: '#C3CDFF',
    status: {
      new: { fg: '#B5E283', bg: '#1E2E17', edge: '#42602A' },
      approved: { fg: '#F6D565', bg: '#332A0E', edge: '#66551B' },
      'in-session': { fg: '#04221A', bg: '#4FDDAE', edge: '#4FDDAE' },
      completed: { fg: '#BBC3CC', bg: '#242B3A', edge: '#404961' },
      denied: { fg: '#FFABA3', bg: '#381A1F', edge: '#6E333A' },
    },
  },
} as const

type StatusColours = { fg: string; bg: string; edge: string }

const statusVars = (prefix: string, colours: Record<VisitStatus, StatusColours>) =>
  Object.entries(colours).flatMap(([status, { fg, bg, edge }]) => [
    [`${prefix}-${status}-fg`, fg],
    [`${prefix}-${status}-bg`, bg],
    [`${prefix}-${status}-edge`, edge],
  ])

/**
 * The palette as custom properties for everything that is not an Ant Design component. `--b-ledger-*` are the light
 * status colours in both themes: a ticket is paper, and paper stays light.
 */
export function cssVars(mode: Mode): Record<string, string> {
  const { status, ...colours } = palette[mode]
  return Object.fromEntries([
    ...Object.entries(colours).map(([name, value]) => [`--b-${name}`, value]),
    ...statusVars('--b-st', status),
    ...statusVars('--b-ledger', palette.light.status),
  ]) as Record<string, string>
}
