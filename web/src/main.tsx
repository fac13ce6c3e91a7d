import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import 'virtual:palette.css'
import '@/theme/fonts.css'
import '@/theme/base.css'
import { router } from '@/app/router'
import { ThemeModeProvider } from '@/theme/theme-mode'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id root')

createRoot(root).render(
  <StrictMode>
    <ThemeModeProvider>
      <RouterProvider router={router} />
    </ThemeModeProvider>
  </StrictMode>,
)
