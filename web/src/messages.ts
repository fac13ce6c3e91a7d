/**
 * Every text that a person can read on a screen, once, as a whole literal: the specification's wording stands here
 * letter by letter ('approveed' and 'denyed' included). `{name}` is a place that `fill` fills.
 */
export const messages = {
  app: {
    name: 'Baari',
    loading: 'Loading...',
  },
  landing: {
    skip: 'Skip to content',
    staffLogin: 'Staff Login',
    contact: 'Contact',
    headline: 'Bring your papers. Leave with answers.',
    lead: 'Tax, compliance and advisory services for the families, shops and companies of {city}. Book a time, or walk in and take a token.',
    book: 'Book a Consultation',
    walkIn: 'Walk-In Welcome',
    yourToken: 'Your token',
    token: 'Token',
    minutesShort: '{minutes} min',
    claims: { title: 'In short', clients: 'clients', years: 'years', support: 'support' },
    services: {
      title: 'Services',
      lead: 'Every service has its minutes written against it, so you can plan the rest of your day.',
      number: 'No.',
      particulars: 'Particulars',
      minutes: 'Minutes',
      minutesUnit: 'minutes',
      next: 'Pick a day and an hour',
    },
    why: {
      title: 'Why choose us',
      lead: 'An office that keeps its own books the way it keeps yours.',
      certifications: 'Certifications',
    },
    place: {
      title: 'Find the office',
      directions: 'Get Directions',
      newTab: '(opens in a new tab)',
      landmarks: 'Landmarks',
      hours: 'Office hours',
      days: 'Days',
      open: 'Open',
      closed: 'Closed',
      opening: '{open}-{close}',
      openLine: '{days} {open}-{close}',
      closedLine: '{days} closed',
    },
    booking: {
      title: 'Book a Consultation',
      lead: 'Pick a day and an hour. We call back to confirm.',
      sent: 'This is your counterfoil. We call back to confirm.',
      phone: 'Phone',
      email: 'Email',
      area: 'Area',
      service: 'Service',
      day: 'Day',
      hour: 'Hour',
    },
    notice: {
      intro: 'What you write here reaches the office only.',
      open: 'Read the privacy notice',
      close: 'Close',
    },
  },
  appointment: {
    name: 'Name',
    phone: 'Phone',
    email: 'Email',
    service: 'Service',
    chooseService: 'Choose a service',
    preferredDate: 'Preferred Date',
    preferredTime: 'Preferred Time',
    message: 'Message (optional)',
    submit: 'Request Appointment',
    submitting: 'Sending...',
    submitted: 'Appointment request submitted successfully. We will contact you soon.',
    failed: 'Failed to submit appointment request. Please try again.',
    errors: {
      nameRequired: 'Name is required',
      phoneRequired: 'Phone number is required',
      phoneInvalid: 'Please enter a valid 10-digit phone number',
      emailRequired: 'Email is required',
      emailInvalid: 'Please enter a valid email address',
      serviceRequired: 'Service is required',
      dateRequired: 'Preferred date is required',
      datePast: 'Preferred date cannot be in the past',
      timeRequired: 'Preferred time is required',
    },
  },
  notFound: {
    title: 'Page Under Construction',
    text: 'There is nothing at this address yet.',
    home: 'Go Back Home',
  },
} as const

/** The names between braces in a message. */
type Places<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Places<Rest>
  : never

/** Puts values into the `{name}` places of a message; a forgotten name does not compile. */
export function fill<T extends string>(message: T, values: Record<Places<T>, string | number>): string {
  const given: Record<string, string | number> = values
  return message.replace(/\{(\w+)\}/g, (place, name: string) => String(given[name] ?? place))
}
