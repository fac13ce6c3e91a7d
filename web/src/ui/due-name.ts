import { messages } from '@/staff-messages'

/** The names in the shipped calendar that have translations. Names that are codes of forms need none. */
const shipped: Readonly<Record<string, keyof typeof messages.dueNames>> = {
  'GSTR-1, monthly': 'gstr1Monthly',
  'GSTR-1, quarterly': 'gstr1Quarterly',
  'GSTR-3B, monthly': 'gstr3bMonthly',
  'GSTR-3B, quarterly (Karnataka)': 'gstr3bQuarterly',
  'Deposit of TDS and TCS': 'deposit',
  'Deposit of TDS of March': 'depositOfMarch',
  'TDS returns': 'tdsReturns',
  'TCS return': 'tcsReturn',
  'TDS certificates of salaries': 'certificatesOfSalaries',
  'TDS certificates, other than salaries': 'otherCertificates',
  'Advance tax': 'advanceTax',
  'ITR of salaried persons and others without business': 'itrOfSalaries',
  'ITR of a business or profession without audit': 'itrOfBusiness',
  'ITR of companies and in audit cases': 'itrOfCompanies',
  'ITR with transfer pricing': 'itrTransferPricing',
  'Belated return': 'belatedReturn',
  'Revised return': 'revisedReturn',
  'Tax audit report': 'taxAudit',
  'Transfer pricing report': 'transferPricing',
  'Annual general meeting': 'annualMeeting',
  'LLP Form 11': 'llpForm11',
  'LLP Form 8': 'llpForm8',
  'MSME-1, October to March': 'msmeWinter',
  'MSME-1, April to September': 'msmeSummer',
  'PF and ESI': 'pfAndEsi',
  'Professional tax (Karnataka)': 'professionalTax',
}

/** The name of a due date in the language of the page. Names that the office wrote are not translated. */
export function dueName(title: string): string {
  const key = Object.hasOwn(shipped, title) ? shipped[title] : undefined
  return key ? messages.dueNames[key] : title
}
