import type { Sections, Settings, Values } from '@/features/settings/data/document'

/** The value of each section, as an office has it after its installation. */
export const values: Values = {
  hours: {
    hours: [
      { days: 'Monday-Friday', open: '9 AM', close: '7 PM' },
      { days: 'Saturday', open: '9 AM', close: '5 PM' },
      { days: 'Sunday', open: null, close: null },
    ],
    yearly: [],
    specialDays: [],
  },
  contact: {
    brand: 'Lekha',
    area: 'Jayanagar',
    city: 'Bengaluru',
    phone: '080 0000 0142',
    email: 'desk@lekha.example',
    address: ['2nd Floor', '11th Main Road'],
    landmarks: ['Metro station', 'Lekha'],
    mapsQuery: 'Lekha, Jayanagar',
  },
  page: {
    claims: { clients: '500+', years: '15+', support: '24/7' },
    certifications: ['GST Practitioners'],
    certificationTexts: { hi: { 'GST Practitioners': 'जीएसटी व्यवसायी' } },
    whyUs: [{ title: 'You know your turn', text: 'Every walk-in gets a token.' }],
    publishedWait: 22,
    publishedPeak: '2:00 PM - 4:00 PM',
    theme: 'light',
  },
  languages: { languages: ['en', 'hi'] },
  checkIn: { checkIn: 'off', back: 'ask', arrivalsKept: 0 },
  messages: { messages: 'off', messageHours: { from: 9, until: 19 } },
  voice: { voice: { order: ['en'], most: 2 } },
  board: { board: { next: 0, notice: '' } },
  line: {
    queue: {
      allowances: { normal: 30, deadline: 15, priority: 10, appointment: 5 },
      maxBypass: 3,
      return: 'after:2',
      missAfterSeconds: 60,
      lateAppointmentMinutes: 15,
      handPick: true,
      sweepMinutesAfterClosing: 60,
      nudgeAfterSeconds: 120,
      autoRecall: 1,
      autoMissAfterSeconds: 0,
      requireCounter: false,
    },
  },
  desks: { offline: { on: false } },
  appointments: {
    appointmentSlots: ['09:00', '10:00'],
    features: { appointments: 'live' },
    appointments: {
      perSlot: 4,
      byTime: {},
      daysAhead: 365,
      leadMinutes: 0,
      changeUntilMinutes: 120,
      remindDayBefore: true,
      remindMinutesBefore: 120,
      feedNames: 'none',
    },
  },
  access: { features: { registration: 'open', debug: false } },
  notice: {
    notice: {
      version: '2026-11',
      title: 'Privacy notice',
      text: 'We keep your name.',
      contact: 'desk@lekha.example',
      purposes: [{ key: 'serve', title: 'Visit', text: 'To serve you.' }],
      translations: { hi: { title: 'गोपनीयता सूचना', text: 'हम आपका नाम रखते हैं।' } },
    },
  },
}

const changedAt = '2026-11-20T04:42:00.000Z'

/** The answer of GET /api/office/settings: all sections have version 3 but the given ones. */
export function settingsOf(
  changed: Partial<{ [Key in keyof Values]: { version: number; value: Values[Key] } }> = {},
  mode: Settings['mode'] = 'product',
): { office: Settings } {
  const changedBy = { id: 'asha', name: 'Asha Rao' }
  const sections = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      { version: 3, changedAt, changedBy, value, ...changed[key as keyof Values] },
    ]),
  ) as Sections
  const version = Math.max(...Object.values(sections).map((section) => section.version))
  return { office: { version, mode, changedAt, changedBy, timeZone: 'Asia/Kolkata', sections } }
}
