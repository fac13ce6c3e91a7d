import { createCache, extractStyle, StyleProvider } from '@ant-design/cssinjs'
import {
  Button,
  Checkbox,
  Col,
  ConfigProvider,
  DatePicker,
  Drawer,
  Dropdown,
  Empty,
  Form,
  Input,
  InputNumber,
  message,
  Modal,
  Pagination,
  Popconfirm,
  Popover,
  Radio,
  Row,
  Segmented,
  Select,
  Spin,
  Switch,
  Table,
  Tabs,
  Tag,
  Tooltip,
} from 'antd'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { themes } from './theme'

const Message = message._InternalPanelDoNotUseOrYouWillBeFired

/** The components of the pages before the dashboards. */
const entry = (
  <>
    <Button />
    <Input />
    <Input.Password />
    <Form>
      <Form.Item label="label" />
    </Form>
    <Row>
      <Col />
    </Row>
    <Message />
  </>
)

/** All other components in use, with those that they render. */
const desk = (
  <>
    <Input.TextArea />
    <Input.Search />
    <InputNumber />
    <Checkbox />
    <DatePicker />
    <DatePicker.RangePicker />
    <Drawer open />
    <Dropdown menu={{ items: [] }}>
      <i />
    </Dropdown>
    <Empty />
    <Modal open />
    <Pagination total={100} />
    <Popconfirm title="title">
      <i />
    </Popconfirm>
    <Popover>
      <i />
    </Popover>
    <Radio.Group options={['a']} />
    <Segmented options={[]} />
    <Select mode="tags" />
    <Spin />
    <Switch />
    <Table />
    <Tabs items={[{ key: 'a', label: 'a' }]} />
    <Tag />
    <Tooltip>
      <i />
    </Tooltip>
  </>
)

/**
 * The styles of these components, generated at build time. They are the same in both themes, which differ only in the
 * values of custom properties.
 */
export function antdStyles(): Record<'entry' | 'desk', string> {
  const cache = createCache()
  const stylesOf = (parts: ReactNode) => {
    renderToString(
      <StyleProvider cache={cache}>
        <ConfigProvider theme={{ ...themes.light, zeroRuntime: false }}>{parts}</ConfigProvider>
      </StyleProvider>,
    )
    return extractStyle(cache, { plain: true, types: ['style'], once: true }).replace(
      /\.data-ant-cssinjs-cache-path\{.*$/,
      '',
    )
  }
  return { entry: stylesOf(entry), desk: stylesOf(desk) }
}
