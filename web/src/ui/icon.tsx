/** The icon set: 24 grid, square caps, mitred joins. */
const paths = {
  bell: 'M6 9.5a6 6 0 0 1 12 0c0 5 2 6.5 2 6.5H4s2-1.5 2-6.5M10 20h4',
  user: 'M12 12.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4.5 20c.8-3.5 3.7-5 7.5-5s6.7 1.5 7.5 5',
  sun:
    'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4' +
    'M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5',
  phone:
    'M5 4h4l1.5 4.5-2.3 1.7a12 12 0 0 0 5.6 5.6l1.7-2.3L20 15v4a1.5 1.5 0 0 1-1.6 1.5' +
    'C10.6 20 4 13.4 3.5 5.6A1.5 1.5 0 0 1 5 4',
  pin: 'M12 21s7-6.2 7-11.5a7 7 0 0 0-14 0C5 14.8 12 21 12 21M12 12a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5',
  arrow: 'M4 12h16M14 6l6 6-6 6',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  x: 'M6 6l12 12M18 6L6 18',
  down: 'M6 9.5l6 6 6-6',
  plus: 'M12 5v14M5 12h14',
  play: 'M8 5.5v13l10.5-6.5z',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M12 7v5l3.5 2',
  download: 'M12 4v11M7 10.5l5 5 5-5M4 20h16',
  calendar: 'M4 6.5h16V20H4zM4 10.5h16M8 4v4M16 4v4',
  file: 'M6 3.5h8l4.5 4.5v12.5H6zM14 3.5V8h4.5M9 12.5h6M9 16h6',
  ticket: 'M4 7h16v3.2a1.8 1.8 0 0 0 0 3.6V17H4v-3.2a1.8 1.8 0 0 0 0-3.6zM14 8.5v7',
  mail: 'M4 6h16v12H4zM4 7l8 6 8-6',
  wifiOff:
    'M3 3l18 18M5 12.5a10 10 0 0 1 4-2.3M19 12.5a10 10 0 0 0-5-2.7M8.5 16a5 5 0 0 1 6 0M12 19.5h0M2 9' +
    'a14 14 0 0 1 4.5-2.8M22 9A14 14 0 0 0 11 5',
  rupee: 'M7 5h10M7 9h10M7 5h3.5a4 4 0 0 1 0 8H7l7 7',
  language:
    'M3 6h10M8 3.5V6M10.5 6c-.7 3.5-3 6.3-6.5 8M5.5 9c1.3 2.3 3.2 4 5.5 5M12 20.5l4.5-11 4.5 11M13.7 16.5h5.6',
  stamp:
    'M9.5 13V9.8A3.5 3.5 0 0 1 12 3.5a3.5 3.5 0 0 1 2.5 6.3V13M5 17v-2.5A1.5 1.5 0 0 1 6.5 13h11' +
    'a1.5 1.5 0 0 1 1.5 1.5V17zM5 20.5h14',
  building: 'M5 20.5V4h9v16.5M14 9.5h5v11M3 20.5h18M8 8h3M8 12h3M8 16h3',
  chart: 'M4 20h16M7 16.5v-5M12 16.5V5M17 16.5v-8',
  tm: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M9.5 16V8h3.2a2.4 2.4 0 0 1 0 4.8H9.5M12.5 12.8L15 16',
  scan: 'M11 17a6 6 0 1 0 0-12 6 6 0 0 0 0 12M15.5 15.5L20.5 20.5M8.5 11l2 2 3.5-3.5',
  plan: 'M4 19l5-6 4 3.5L20 7M15 7h5v5',
  shield: 'M12 3.5l7.5 3v5c0 4.5-3 7.5-7.5 9.5-4.5-2-7.5-5-7.5-9.5v-5zM8.5 12l2.5 2.5 4.5-5',
  books: 'M5 4h4v16H5zM9 4h4v16H9zM14 5l3.8-1 3.2 15-3.8 1z',
  chat: 'M4 5h16v11h-9l-4.5 4V16H4z',
  repeat: 'M5 11V9a3 3 0 0 1 3-3h11M16 3l3 3-3 3M19 13v2a3 3 0 0 1-3 3H5M8 21l-3-3 3-3',
  home: 'M4 11l8-7 8 7v9.5h-6V15h-4v5.5H4z',
  keyboard: 'M3 6.5h18v11H3zM6.5 10h.01M10 10h.01M14 10h.01M17.5 10h.01M8 14h8',
  printer: 'M7 9V4h10v5M7 16.5H4V9h16v7.5h-3M7 14h10v6H7z',
  expand: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  more: 'M11.4 5.5h1.2M11.4 12h1.2M11.4 18.5h1.2',
  grip: 'M8.6 6h.8M14.6 6h.8M8.6 12h.8M14.6 12h.8M8.6 18h.8M14.6 18h.8',
  search: 'M11 17a6 6 0 1 0 0-12 6 6 0 0 0 0 12M15.5 15.5L20.5 20.5',
  system: 'M4 5h16v11H4zM9 20h6M12 16v4',
  send: 'M4 12l16-7-5 15-3.5-6.5zM11.5 13.5L20 5',
  edit: 'M4 20h4L19.5 8.5l-4-4L4 16zM13 7l4 4',
  gear:
    'M4 7h9M19 7h1M4 17h1M11 17h9M16 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M8 19.5' +
    'a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5',
  out: 'M10 4H4v16h6M9 12h11M15.5 7.5L20 12l-4.5 4.5',
} as const

export type IconName = keyof typeof paths

export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg
      className="icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={size > 22 ? 1.5 : 1.75}
      strokeLinecap="square"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  )
}
