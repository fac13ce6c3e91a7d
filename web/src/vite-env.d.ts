declare module 'virtual:palette.css'

declare module 'virtual:office' {
  import type { components } from '@/api/directory'

  const office: components['schemas']['Office']
  export default office
}
