import { adminScreens } from './admin'
import { consultant } from './consultant'
import { dialogs } from './dialogs'
import { dueDates } from './due-dates'
import { gateScreens } from './gate'
import { officePages } from './office'
import { pa } from './pa'
import { pairedScreens } from './paired-screens'
import { people } from './people'
import { privacy } from './privacy'
import { publicScreens } from './public'
import { reception } from './reception'
import type { Screen } from './scene'
import { settings } from './settings'

/** Every screen in every state. */
export const screens: Screen[] = [
  ...publicScreens,
  ...gateScreens,
  dialogs,
  reception,
  pa,
  consultant,
  ...adminScreens,
  officePages,
  dueDates,
  pairedScreens,
  people,
  privacy,
  settings,
]
