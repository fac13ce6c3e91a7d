import { screens } from '../scenes/screens'
import { pictures } from './studio'

for (const screen of screens) pictures(screen)
