import { standIns } from './stand-ins.ts'

/** Anek draws Latin and the Indian scripts as one family; a script without its file falls back to the system's. */
export const fontFamily = [
  "'Anek Latin Variable'",
  ...standIns,
  "'Anek Devanagari Variable'",
  "'Anek Tamil Variable'",
  "'Anek Kannada Variable'",
  "'Anek Telugu Variable'",
  'system-ui',
  "'Noto Sans'",
  'sans-serif',
].join(',')
