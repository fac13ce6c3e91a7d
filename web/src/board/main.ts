import 'virtual:palette.css'
import '@/theme/fonts.css'
import '@/theme/indic-fonts.css'
import '@/theme/base.css'
import '@/theme/indic-type.css'
import '@/ui/cloth.css'
import './board.css'
import './ticket.css'
import './foot.css'
import './pairing.css'
import { Board } from './board'
import { recall } from './kept'
import { startWorker } from './worker'

const themes = ['light', 'dark', 'system']

/** `/board?theme=dark` sets the theme of this browser. */
function chooseTheme() {
  const theme = new URLSearchParams(location.search).get('theme')
  if (theme === null || !themes.includes(theme)) return
  localStorage.setItem('ui-theme', theme)
  location.replace('/board')
}

const root = document.getElementById('board')
if (!root) throw new Error('board.html has no element with the id board')

chooseTheme()
const board = new Board(root)
const device = recall('device')
if (device) board.start(device)
else board.askForCode()
startWorker(() => board.isIdle())
