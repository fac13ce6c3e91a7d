import type { Ref } from 'react'
import { Link, NavLink } from 'react-router'
import { useUser } from '@/features/auth/gate'
import { Notifications } from '@/features/notifications/notifications'
import { useOffice } from '@/features/office/use-office'
import { messages } from '@/staff-messages'
import { useThemeMode, type ThemePreference } from '@/theme/theme-mode'
import { Icon, type IconName } from '@/ui/icon'
import { Logo, Mark } from '@/ui/mark'
import { useIsPhone } from '@/ui/use-is-phone'
import { dashboards } from './dashboards'
import { Profile } from './profile'
import './top-bar.css'

const text = messages.dashboard

/**
 * Product, office, an admin's four dashboards, a place for the notice of the page, theme, bell and profile; below them
 * a decorative seam.
 */
export function TopBar({ noticeRef }: { noticeRef: Ref<HTMLDivElement> }) {
  const user = useUser()
  const office = useOffice()
  const phone = useIsPhone()
  return (
    <header className="bar">
      <div className="bar-inner">
        <Link to="/dashboard" className="bar-logo" aria-label={messages.app.name}>
          {phone ? <Mark size={34} /> : <Logo size={34} />}
        </Link>
        <p className="bar-office">
          <b>{office.brand}</b>
          {office.area}
        </p>
        {user.role === 'admin' && !phone ? (
          <nav className="bar-nav place-links" aria-label={text.dashboards}>
            {dashboards.map(({ to, label }) => (
              <NavLink key={to} to={to}>
                {label}
              </NavLink>
            ))}
          </nav>
        ) : null}
        <div className="bar-right">
          <div ref={noticeRef} />
          <ThemeButton />
          <Notifications maySend={user.role !== 'consultant'} />
          <Profile />
        </div>
      </div>
    </header>
  )
}

const order: readonly ThemePreference[] = ['light', 'dark', 'system']
const icons: Record<ThemePreference, IconName> = { light: 'sun', dark: 'moon', system: 'system' }

function ThemeButton() {
  const { preference, choose } = useThemeMode()
  const next = order[(order.indexOf(preference) + 1) % order.length] ?? 'light'
  return (
    <button
      type="button"
      className="bar-button"
      aria-label={text.theme[preference]}
      onClick={() => choose(next)}
    >
      <Icon name={icons[preference]} size={22} />
    </button>
  )
}
