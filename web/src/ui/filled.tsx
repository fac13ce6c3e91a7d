import { Fragment, type ReactNode } from 'react'
import { grouped, type Places } from '@/messages'

type Props<T extends string> = { message: T; values: Readonly<Record<Places<T>, ReactNode>> }

/** A message whose placeholders are filled with elements, such as a number in bold. */
export function Filled<T extends string>({ message, values }: Props<T>) {
  const given: Readonly<Record<string, ReactNode>> = values
  return message
    .split(/\{(\w+)\}/)
    .map((part, index) => <Fragment key={index}>{index % 2 === 0 ? part : grouped(given[part])}</Fragment>)
}
