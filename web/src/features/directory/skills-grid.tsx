import { useMutation } from '@tanstack/react-query'
import { Button, Checkbox, Modal } from 'antd'
import { useState } from 'react'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { ServiceName, useServiceNames } from '@/ui/office-words'
import { useReturnFocus } from '@/ui/use-return-focus'
import type { Consultant, Service } from './models'
import { saveSkills } from './mutations'
import './skills-grid.css'

const text = messages.life.skills

type Skills = Readonly<Record<string, readonly string[]>>

type Props = {
  consultants: readonly Consultant[]
  /** The offered services. */
  services: readonly Service[]
  /** Whether a consultant's specializations match a service, by its name. Matching services are proposed. */
  suits: (consultant: Pick<Consultant, 'specialization'>, service: string) => boolean
  onClose: () => void
}

/** The services of each consultant, as a grid. A consultant without a tick serves every service. */
export function SkillsGrid({ consultants, services, suits, onClose }: Props) {
  useReturnFocus()
  const before = skillsOf(consultants)
  const [skills, setSkills] = useState(before)
  const save = useMutation(saveSkills)
  const changes = consultants
    .map(({ id, specialization }) => ({ id, specialization, serves: [...(skills[id] ?? [])] }))
    .filter(({ id, serves }) => serves.toSorted().join() !== (before[id] ?? []).toSorted().join())
  const proposed = () =>
    Object.fromEntries(
      consultants.map((one) => [one.id, services.filter(({ name }) => suits(one, name)).map(({ id }) => id)]),
    )
  const toggle = (consultant: string, service: string) =>
    setSkills((now) => {
      const serves = now[consultant] ?? []
      const next = serves.includes(service) ? serves.filter((id) => id !== service) : [...serves, service]
      return { ...now, [consultant]: next }
    })
  return (
    <Modal
      open
      title={text.title}
      width="min(1180px, 96vw)"
      okText={text.save}
      okButtonProps={{ disabled: changes.length === 0 }}
      cancelText={messages.life.back}
      confirmLoading={save.isPending}
      onOk={() => save.mutate(changes, { onSuccess: onClose })}
      onCancel={onClose}
    >
      <Tools onFill={() => setSkills(proposed())} />
      <div className="skills-scroll" tabIndex={0} role="group" aria-label={text.title}>
        <table className="skills">
          <thead>
            <tr>
              <th scope="col">{text.consultant}</th>
              {services.map(({ id, name }) => (
                <th scope="col" key={id}>
                  <ServiceName of={{ id, name }} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {consultants.map((consultant) => (
              <Row
                key={consultant.id}
                consultant={consultant}
                services={services}
                serves={skills[consultant.id] ?? []}
                onToggle={(service) => toggle(consultant.id, service)}
              />
            ))}
          </tbody>
        </table>
      </div>
    </Modal>
  )
}

function Tools({ onFill }: { onFill: () => void }) {
  return (
    <div className="skills-tools">
      <p>{text.explain}</p>
      <Button onClick={onFill}>{text.fill}</Button>
    </div>
  )
}

type RowProps = {
  consultant: Consultant
  services: readonly Service[]
  serves: readonly string[]
  onToggle: (service: string) => void
}

function Row({ consultant: { name }, services, serves, onToggle }: RowProps) {
  const nameOf = useServiceNames()
  return (
    <tr>
      <th scope="row">
        {name}
        {serves.length === 0 ? <small>{text.all}</small> : null}
      </th>
      {services.map((service) => (
        <td key={service.id}>
          <Checkbox
            aria-label={fill(text.cell, { name, service: nameOf(service) })}
            checked={serves.includes(service.id)}
            onChange={() => onToggle(service.id)}
          />
        </td>
      ))}
    </tr>
  )
}

const skillsOf = (consultants: readonly Consultant[]): Skills =>
  Object.fromEntries(consultants.map(({ id, serves }) => [id, serves]))
