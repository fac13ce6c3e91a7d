import { stylesheets } from 'virtual:antd-css'
import { theme, type MappingAlgorithm, type ThemeConfig } from 'antd'
import { palette, type Mode } from './palette'
import { fontFamily } from './type'

type Palette = (typeof palette)[Mode]

/* Ant Design recomputes colours in dark mode. The palette's colours are final, so they replace Ant Design's. */
const exact =
  (base: MappingAlgorithm, mode: Mode): MappingAlgorithm =>
  (seed, map) => {
    const p = palette[mode]
    return {
      ...base(seed, map),
      colorPrimary: p.neel,
      colorPrimaryHover: p.neelHover,
      colorPrimaryActive: p.neelActive,
      colorPrimaryBg: p.neelSoft,
      colorPrimaryBgHover: p.neelSoftHover,
      colorPrimaryBorder: p.neel,
      colorPrimaryBorderHover: p.neelHover,
      colorPrimaryText: p.neel,
      colorPrimaryTextHover: p.neelHover,
      colorPrimaryTextActive: p.neelActive,
      colorInfo: p.neel,
      colorInfoBg: p.neelSoft,
      colorInfoBorder: p.neel,
      colorSuccess: p.status['in-session'].bg,
      colorSuccessBg: p.status.new.bg,
      colorSuccessBorder: p.status.new.edge,
      colorWarning: p.status.approved.fg,
      colorWarningBg: p.status.approved.bg,
      colorWarningBorder: p.status.approved.edge,
      colorError: p.danger,
      colorErrorHover: p.danger,
      colorErrorActive: p.danger,
      colorErrorBg: p.dangerSoft,
      colorErrorBorder: p.status.denied.edge,
      colorLink: p.neel,
      colorLinkHover: p.neelHover,
      colorLinkActive: p.neelActive,
      colorText: p.ink,
      colorTextSecondary: p.ink2,
      colorTextTertiary: p.ink3,
      colorTextQuaternary: p.ink3,
      colorBgLayout: p.canvas,
      colorBgContainer: p.surface,
      colorBgElevated: p.raised,
      colorBgSpotlight: p.ink,
      colorFillQuaternary: p.sunken,
      colorFillTertiary: p.sunken,
      colorFillSecondary: p.rule,
      colorFill: p.line,
      colorBorder: p.lineStrong,
      colorBorderSecondary: p.line,
      colorBgMask: mode === 'light' ? 'rgba(19,26,48,.42)' : 'rgba(4,6,12,.62)',
    }
  }

const tokens = (p: Palette, mode: Mode): NonNullable<ThemeConfig['token']> => ({
  fontFamily,
  fontSize: 15,
  fontSizeSM: 13,
  fontSizeLG: 17,
  lineHeight: 1.5,
  fontSizeHeading1: 32,
  fontSizeHeading2: 24,
  fontSizeHeading3: 19,
  fontSizeHeading4: 17,
  fontSizeHeading5: 15,
  fontWeightStrong: 560,
  borderRadius: 6,
  borderRadiusSM: 4,
  borderRadiusLG: 10,
  borderRadiusXS: 3,
  controlHeight: 40,
  controlHeightSM: 32,
  controlHeightLG: 48,
  padding: 16,
  paddingLG: 24,
  margin: 16,
  marginLG: 24,
  motionDurationFast: '0.1s',
  motionDurationMid: '0.16s',
  motionDurationSlow: '0.24s',
  motionEaseOut: 'cubic-bezier(.2,.8,.2,1)',
  motionEaseInOut: 'cubic-bezier(.4,0,.2,1)',
  colorTextPlaceholder: p.ink3,
  colorTextDisabled: p.ink3,
  colorTextDescription: p.ink2,
  colorTextHeading: p.ink,
  colorTextLabel: p.ink2,
  colorTextLightSolid: p.inkInverse,
  colorIcon: p.ink2,
  colorIconHover: p.ink,
  colorBgContainerDisabled: p.sunken,
  colorSplit: p.line,
  controlOutline: mode === 'light' ? 'rgba(34,48,122,.22)' : 'rgba(174,187,250,.28)',
  controlOutlineWidth: 3,
  controlItemBgHover: p.sunken,
  controlItemBgActive: p.neelSoft,
  controlItemBgActiveHover: p.neelSoftHover,
  // A shadow is invisible on dark backgrounds, so popups have a border.
  boxShadow:
    mode === 'light'
      ? '0 2px 4px rgba(19,26,48,.05), 0 12px 32px -8px rgba(19,26,48,.18)'
      : `0 0 0 1px ${p.line}, 0 2px 4px rgba(0,0,0,.4), 0 16px 40px -8px rgba(0,0,0,.7)`,
  boxShadowSecondary:
    mode === 'light'
      ? '0 2px 6px rgba(19,26,48,.06), 0 20px 48px -12px rgba(19,26,48,.24)'
      : `0 0 0 1px ${p.line}, 0 2px 6px rgba(0,0,0,.5), 0 24px 56px -12px rgba(0,0,0,.8)`,
  boxShadowTertiary: 'none',
})

const components = (p: Palette, mode: Mode): NonNullable<ThemeConfig['components']> => ({
  Button: {
    fontWeight: 560,
    borderRadiusLG: 8,
    primaryColor: p.inkInverse,
    primaryShadow: 'none',
    defaultShadow: 'none',
    dangerShadow: 'none',
    defaultBg: p.surface,
    defaultBorderColor: p.lineStrong,
    defaultColor: p.ink,
    paddingInline: 18,
    paddingInlineSM: 12,
    paddingInlineLG: 22,
    contentFontSizeLG: 16,
  },
  Input: {
    borderRadiusLG: 8,
    activeShadow: `0 0 0 3px ${mode === 'light' ? 'rgba(34,48,122,.18)' : 'rgba(174,187,250,.24)'}`,
    paddingInline: 12,
  },
  Select: {
    borderRadiusLG: 8,
    optionSelectedBg: p.neelSoft,
    optionSelectedFontWeight: 560,
    optionPadding: '9px 12px',
  },
  Form: { labelColor: p.ink, labelFontSize: 14, verticalLabelPadding: '0 0 6px', itemMarginBottom: 16 },
  Card: { headerFontSize: 17, headerHeight: 52, bodyPadding: 20, headerPadding: 20 },
  Table: {
    headerBg: p.sunken,
    headerBorderRadius: 0,
    headerColor: p.ink2,
    headerSplitColor: 'transparent',
    rowHoverBg: p.sunken,
    borderColor: p.rule,
    cellPaddingBlock: 13,
    cellPaddingInline: 16,
    cellFontSize: 15,
  },
  Tabs: {
    titleFontSize: 15,
    itemColor: p.ink2,
    itemHoverColor: p.ink,
    itemSelectedColor: p.ink,
    inkBarColor: mode === 'light' ? p.bahi : p.stitch,
    horizontalItemPadding: '12px 2px',
    horizontalItemGutter: 28,
  },
  Drawer: { paddingLG: 20 },
  Modal: { titleFontSize: 18 },
  Message: { contentBg: p.raised },
  Segmented: {
    trackBg: p.sunken,
    itemSelectedBg: p.neelSoft,
    itemColor: p.ink2,
    itemSelectedColor: p.neel,
  },
  // A switch that is off has the colour of a control's edge. Its handle and the tick of a checkbox have the colour
  // inkInverse in both themes.
  Switch: { handleBg: p.inkInverse, colorTextQuaternary: p.lineStrong, colorTextTertiary: p.ink3 },
  Checkbox: { colorWhite: p.inkInverse },
  Tooltip: { colorTextLightSolid: mode === 'light' ? '#FFFFFF' : '#0C101C' },
})

const build = (mode: Mode): ThemeConfig => {
  const p = palette[mode]
  return {
    cssVar: { key: `baari-${mode}` },
    hashed: false,
    // In production the styles are files (antd-styles.tsx). In development the browser generates them.
    zeroRuntime: stylesheets !== null,
    algorithm: exact(mode === 'dark' ? theme.darkAlgorithm : theme.defaultAlgorithm, mode),
    token: tokens(p, mode),
    components: components(p, mode),
  }
}

/* Built once: stable references keep Ant Design's style cache warm. */
export const themes: Record<Mode, ThemeConfig> = { light: build('light'), dark: build('dark') }
