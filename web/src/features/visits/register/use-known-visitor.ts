import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Form, type FormInstance } from 'antd'
import { useMemo, type KeyboardEvent } from 'react'
import type { NewVisit } from '@/api/types'
import { lookupQuery, todayQuery } from '@/features/visits/data/queries'
import { isWholePhone } from '@/features/visits/data/rules'
import { inBackground } from '@/in-background'
import { useOfflineMode } from '@/live/offline-mode'

/** Looks the visitor up at the tenth digit. Enter takes the name, even if the response is still pending. */
export function useKnownVisitor(form: FormInstance<NewVisit>) {
  const client = useQueryClient()
  const phone = (Form.useWatch('phone', form) as string | undefined) ?? ''
  const name = (Form.useWatch('name', form) as string | undefined) ?? ''
  const whole = isWholePhone(phone)
  const { offline, noLookup } = useOfflineMode()
  const { data: visitor } = useQuery({ ...lookupQuery(phone), enabled: whole && !offline })
  const { data: today } = useQuery(todayQuery())

  const take = (found: string) => {
    form.setFieldValue('name', found)
    form.focusField('serviceId')
  }
  /** A slow response neither replaces what was typed meanwhile nor moves the focus. */
  const lookAndTake = async (of: string, field: EventTarget) => {
    const found = offline ? null : await client.query(lookupQuery(of)).catch(() => null)
    const typed: Partial<NewVisit> = form.getFieldsValue()
    if (typed.phone !== of || typed.name?.trim()) return
    if (document.activeElement !== field) {
      if (found) form.setFieldValue('name', found.name)
    } else if (found) take(found.name)
    else form.submit()
  }
  const onPhoneKey = (event: KeyboardEvent) => {
    // The values come from the form, not from the last render: Enter may follow the tenth digit immediately.
    const typed: Partial<NewVisit> = form.getFieldsValue()
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
    if (!isWholePhone(typed.phone ?? '') || typed.name?.trim()) return
    event.preventDefault()
    inBackground(lookAndTake(typed.phone ?? '', event.currentTarget))
  }
  const visits = useMemo(
    () => (whole ? (today ?? []).filter((visit) => visit.phone === phone).toReversed() : []),
    [whole, today, phone],
  )
  return {
    phone,
    visitor: whole ? visitor : undefined,
    missing: whole && offline ? noLookup : undefined,
    typed: name,
    /** Today's visits with this number, latest first. */
    visits,
    onAccept: () => (visitor ? take(visitor.name) : undefined),
    onPhoneKey,
  }
}
