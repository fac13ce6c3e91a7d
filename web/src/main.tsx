import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import 'virtual:palette.css'
import '@/theme/fonts.css'
import '@/theme/indic-fonts.css'
import '@/theme/indic-type.css'
import '@/theme/base.css'
import { App } from '@/app/app'
import { observePage } from '@/telemetry/observe'
import { ThemeModeProvider } from '@/theme/theme-mode'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id root')

observePage()
const app = (
  <StrictMode>
    <ThemeModeProvider>
      <App />
    </ThemeModeProvider>
  </StrictMode>
)
// A transition renders in slices, so that a slow phone stays responsive.
startTransition(() => createRoot(root).render(app))
