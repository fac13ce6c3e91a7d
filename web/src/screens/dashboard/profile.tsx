import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button, Form, Input, Modal } from 'antd'
import { Suspense, useEffect, useEffectEvent, useRef, useState, type MouseEventHandler } from 'react'
import { NavLink } from 'react-router'
import { chunk } from '@/chunk'
import { useUser } from '@/features/auth/gate'
import { roleLabel } from '@/features/auth/roles'
import { updateProfile } from '@/features/auth/account'
import { sessionQuery } from '@/features/auth/session'
import { useSignOut } from '@/features/auth/sign-out'
import { useOffice } from '@/features/office/use-office'
import { useFormDraft } from '@/drafts'
import { messages } from '@/staff-messages'
import { Icon } from '@/ui/icon'
import { Kbd } from '@/ui/shortcuts'
import { useShowShortcuts } from '@/ui/shortcuts-help'
import { useIsPhone } from '@/ui/use-is-phone'
import { dashboards } from './dashboards'
import './profile.css'

// The settings are loaded when they are first opened.
const AccountSettings = chunk(async () => (await import('@/features/auth/account-settings')).AccountSettings)

const text = messages.profile
type View = 'closed' | 'profile' | 'edit' | 'settings' | 'shortcuts'

/** One dialog replaces another here, so a dialog that closes must not move the focus itself. */
const keepsFocus = { focusTriggerAfterClose: false }

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** The first letter of a name in any script. */
const initialOf = (name: string) => graphemes.segment(name).containing(0)?.segment.toUpperCase()

/** The user's button in the top bar, and the dialogs that it opens. */
export function Profile() {
  const user = useUser()
  const { languages = [] } = useOffice()
  const [view, setView] = useState<View>()
  // Once opened, the settings stay mounted, so that closing them can be animated.
  const [opened, setOpened] = useState(false)
  const bar = useRef<HTMLButtonElement>(null)
  /** The button that has replaced the profile by another dialog. */
  const opener = useRef<HTMLElement>(null)
  const showShortcuts = useShowShortcuts()
  const open = () => {
    opener.current = null
    setView('profile')
  }
  const close = () => setView('closed')
  const replace = (next: View, button: HTMLElement) => {
    opener.current = button
    if (next === 'settings') setOpened(true)
    setView(next)
  }
  const leave = useEffectEvent(() => {
    bar.current?.focus({ preventScroll: true })
    if (view === 'shortcuts') showShortcuts?.()
  })
  // In an effect, because an open dialog keeps the focus.
  useEffect(() => {
    if (view === 'closed' || view === 'shortcuts') leave()
  }, [view])

  return (
    <>
      <button ref={bar} type="button" className="bar-person" onClick={open}>
        <span className="bar-initial" aria-hidden="true">
          {initialOf(user.name)}
        </span>
        <span className="bar-person-words">
          <b>{user.name}</b>
          <small>{roleLabel(user.role)}</small>
        </span>
        <span className="visually-hidden">{text.title}</span>
      </button>
      <Modal
        open={view === 'profile'}
        title={text.title}
        footer={null}
        width={420}
        focusable={keepsFocus}
        afterOpenChange={(opened) => opened && opener.current?.focus()}
        onCancel={close}
      >
        <ProfileView
          onEdit={({ currentTarget }) => replace('edit', currentTarget)}
          onSettings={({ currentTarget }) => replace('settings', currentTarget)}
          onShortcuts={showShortcuts && (() => setView('shortcuts'))}
          onClose={close}
        />
      </Modal>
      <EditProfile open={view === 'edit'} onClose={() => setView('profile')} />
      {opened ? (
        <Suspense fallback={null}>
          <AccountSettings
            open={view === 'settings'}
            languages={languages}
            focusable={keepsFocus}
            onClose={() => setView('profile')}
          />
        </Suspense>
      ) : null}
    </>
  )
}

/** A phone has no function keys, but a computer with a narrow window has them. */
const hasKeyboard = () => !matchMedia('(pointer: coarse) and (hover: none)').matches

type ViewProps = {
  onEdit: MouseEventHandler<HTMLElement>
  onSettings: MouseEventHandler<HTMLElement>
  /** Undefined on a screen without shortcuts. */
  onShortcuts: (() => void) | undefined
  onClose: () => void
}

function ProfileView({ onEdit, onSettings, onShortcuts, onClose }: ViewProps) {
  const user = useUser()
  const phone = useIsPhone()
  const signOut = useSignOut('/')
  return (
    <div className="profile">
      <dl>
        <dt>{text.name}</dt>
        <dd>{user.name}</dd>
        <dt>{text.email}</dt>
        <dd>{user.email}</dd>
        <dt>{text.role}</dt>
        <dd>{roleLabel(user.role)}</dd>
      </dl>
      {user.role === 'admin' && phone ? (
        <nav className="profile-nav place-links" aria-label={messages.dashboard.dashboards}>
          {dashboards.map(({ to, label }) => (
            <NavLink key={to} to={to} onClick={onClose}>
              {label}
            </NavLink>
          ))}
        </nav>
      ) : null}
      <Button block icon={<Icon name="gear" size={18} />} onClick={onSettings}>
        {text.settings}
      </Button>
      <Button block icon={<Icon name="edit" size={18} />} onClick={onEdit}>
        {text.edit}
      </Button>
      {onShortcuts && hasKeyboard() ? (
        <Button block icon={<Icon name="keyboard" size={18} />} aria-keyshortcuts="?" onClick={onShortcuts}>
          {messages.shortcuts.title} <Kbd>?</Kbd>
        </Button>
      ) : null}
      <Button block danger icon={<Icon name="out" size={18} />} onClick={signOut}>
        {messages.auth.signOut}
      </Button>
    </div>
  )
}

function EditProfile({ open, onClose }: { open: boolean; onClose: () => void }) {
  const user = useUser()
  const queryClient = useQueryClient()
  const [form] = Form.useForm<{ name: string }>()
  const kept = useFormDraft<{ name: string }>('profile')
  const close = () => {
    kept.forget()
    onClose()
  }
  const save = useMutation({
    ...updateProfile,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
      close()
    },
  })
  return (
    <Modal
      open={open}
      destroyOnHidden
      focusable={keepsFocus}
      title={text.edit}
      width={420}
      okText={text.save}
      cancelText={text.cancel}
      confirmLoading={save.isPending}
      onOk={form.submit}
      onCancel={close}
    >
      <Form
        name="profile" // Distinguishes the fields' ids from those of a form below the dialog.
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={{ name: user.name, ...kept.values() }}
        onValuesChange={kept.keep}
        onFinish={({ name }) => save.mutate({ name: name.trim() })}
      >
        <Form.Item
          name="name"
          label={text.name}
          rules={[{ required: true, whitespace: true, message: text.nameRequired }]}
        >
          <Input maxLength={100} autoComplete="name" />
        </Form.Item>
      </Form>
    </Modal>
  )
}
