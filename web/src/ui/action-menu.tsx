import { Dropdown, type DropdownProps } from 'antd'
import { useLayoutEffect, useRef } from 'react'

type Props = Omit<DropdownProps, 'trigger' | 'autoFocus' | 'menu'> & {
  menu: NonNullable<DropdownProps['menu']>
}

/**
 * A button and its menu. When the menu closes, the focus returns to the element that had it before. After a choice, the
 * focus returns before `onClick` is called: a dialog that `onClick` opens can then return the focus to that element.
 */
export function ActionMenu({ menu, onOpenChange, ...rest }: Props) {
  const before = useRef<HTMLElement>(null)
  const remember = () => (before.current = document.querySelector(':focus'))
  const giveBack = () => {
    if (!document.querySelector('[role=menu] :focus')) return
    // Safari does not focus a button that is clicked.
    const opener = before.current ?? document.querySelector<HTMLElement>('.ant-dropdown-open')
    opener?.focus()
  }
  useLayoutEffect(() => {
    if (rest.open) remember()
  }, [rest.open])
  return (
    <Dropdown
      {...rest}
      trigger={['click']}
      autoFocus
      // No transition: a menu that fades away would get the Escape that is meant for the dialog it has opened.
      transitionName=""
      onOpenChange={(isOpen, of) => {
        if (isOpen) remember()
        else giveBack()
        onOpenChange?.(isOpen, of)
      }}
      menu={{
        ...menu,
        onClick: (choice) => {
          const { domEvent } = choice
          // Enter would also press what has the focus next, such as the button that closes a dialog.
          domEvent.preventDefault()
          giveBack()
          // Enter that is held down opens the menu again, and must not choose from it.
          if (!('repeat' in domEvent && domEvent.repeat)) menu.onClick?.(choice)
        },
      }}
    />
  )
}
