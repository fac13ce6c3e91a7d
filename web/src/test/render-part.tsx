import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState, type ReactNode } from 'react'
import { createQueryClient } from '@/app/query-client'
import { OfficeTimeProvider } from '@/ui/office-time'
import { Toasts, useToast } from '@/ui/toasts'

/** Renders a part of a dashboard with what the dashboards have around it, in an office in India. */
export function renderPart(part: ReactNode) {
  const person = userEvent.setup({ delay: null })
  const view = render(
    <Toasts top={0}>
      <OfficeTimeProvider timeZone="Asia/Kolkata">
        <Client>{part}</Client>
      </OfficeTimeProvider>
    </Toasts>,
  )
  return { ...view, person }
}

function Client({ children }: { children: ReactNode }) {
  const toast = useToast()
  const [client] = useState(() => createQueryClient(toast))
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}
