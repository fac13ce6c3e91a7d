import type { VisitClass } from '@/api/types'
import { messages } from '@/staff-messages'
import './class-mark.css'

export function ClassMark({ of }: { of: VisitClass }) {
  if (of === 'normal') return null
  return <span className={`class-mark class-${of}`}>{messages.life.classes[of]}</span>
}
