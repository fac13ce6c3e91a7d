import { Pagination, type PaginationProps } from 'antd'
import useLocale from 'antd/es/locale/useLocale'
import { cloneElement, isValidElement, type HTMLAttributes } from 'react'
import './pages.css'

/** Ant Design's pagination, whose buttons have names: their icons are hidden from screen readers. */
export function Pages(props: PaginationProps) {
  const [words] = useLocale('Pagination')
  const names: Record<string, string | undefined> = { prev: words.prev_page, next: words.next_page }
  const named: NonNullable<PaginationProps['itemRender']> = (_page, type, element) => {
    const name = names[type]
    if (!name || !isValidElement<HTMLAttributes<HTMLElement>>(element)) return element
    return cloneElement(element, { 'aria-label': name })
  }
  return <Pagination showSizeChanger={false} itemRender={named} {...props} />
}
