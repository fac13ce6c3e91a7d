declare module 'virtual:palette.css'

declare module 'virtual:office' {
  import type { components } from '@/api/directory'

  const office: components['schemas']['Office']
  export default office
}

declare module 'virtual:antd-css' {
  /** Where Ant Design's styles are; null when they are made in the browser. */
  export const stylesheets: Record<'entry' | 'desk', string> | null
}

declare module 'virtual:catalogue/staff/*' {
  import type { AttentionTexts, StaffTexts } from '@/messages'

  const texts: StaffTexts & AttentionTexts
  export default texts
}

declare module 'virtual:catalogue/admin/*' {
  import type { AdminTexts } from '@/messages'

  const texts: AdminTexts
  export default texts
}

declare module 'virtual:catalogue/settings/*' {
  import type { SettingsTexts } from '@/messages'

  const texts: SettingsTexts
  export default texts
}
