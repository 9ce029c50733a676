// The texts of products and their units.

import { MetricType, PackagingGroup, SerialTrackingMode } from '../../../client/src/waybill.ts'
import { quantity } from '../../../ui/numbers.ts'
import { plural } from '../../../ui/plural.ts'
import { nameIn } from './consignments.ts'

const serials: Readonly<Record<number, string>> = {
  [SerialTrackingMode.None]: 'No serials',
  [SerialTrackingMode.FullCapture]: 'Serials from receipt on',
  [SerialTrackingMode.ReleaseCapture]: 'Serials at dispatch',
}

/** The unit of the chain that a step begins or ends with. */
export interface UnitName {
  metricType: number
  name: string | null | undefined
}

export const productWords = {
  products: 'Products',
  search: 'Search products',
  searchHint: 'Code, name, barcode',
  none: 'No products yet. Orders name products by their codes.',
  noneOfClient:
    'This client has no products yet. New product makes the first, and an application can send all.',
  nothing: '–',
  code: 'Code',
  name: 'Name',
  client: 'Client',
  group: 'Group',
  onHand: 'On hand',
  available: 'Available',
  weight: 'Weight, kg',
  status: 'Status',
  barcode: 'Barcode',
  gtin: 'GTIN',
  dangerousGood: 'Dangerous goods',
  dangerousFilter: 'Dangerous',
  yes: 'Yes',
  no: 'No',
  active: 'Active',
  inactive: 'Inactive',
  all: 'All',
  newProduct: 'New product',
  made: (code: string) => `${code} is created. Imports that waited for it go on.`,
  saved: (code: string) => `${code} is saved`,

  details: 'Facts',
  unit: 'Unit',
  unitHelp: 'What one item is, such as a jar.',
  packed: 'Packed as',
  noGroup: 'No group',
  noUnit: 'None',
  length: 'Length, mm',
  width: 'Width, mm',
  height: 'Height, mm',
  volume: 'Volume, m³',
  isVolumeCalculated: 'Volume from the sides',
  freeHours: 'Hours of free storage',
  freeHoursHelp: 'Empty: as the client has it.',
  receiveInstructions: 'When receiving',
  pickInstructions: 'When picking',

  stock: 'Stock',
  showStock: 'Show in inventory',
  noStock: 'Nothing of it is in stock. It comes with goods that are received, or with opening balances.',
  place: 'Place',
  batch: 'Batch',
  expiry: 'Expiry',
  palletUnit: 'Pallet',

  datesAndSerials: 'Batch, dates and serials',
  serials: 'Serials',
  serialsOf: (mode: number) => serials[mode] ?? String(mode),
  serialOptions: serials,

  dangerous: 'Dangerous goods',
  notDangerous: 'Not dangerous.',
  isDangerous: 'Is dangerous',
  unNumber: 'UN number',
  shippingName: 'Proper shipping name',
  technicalName: 'Technical name',
  packagingGroup: 'Packaging group',
  packagingGroupOf: (group: number) => nameIn(PackagingGroup, group),
  hazchem: 'Hazchem EAC',
  flashpoint: 'Flashpoint, °C',
  ph: 'pH',
  marinePollutant: 'Marine pollutant',
  hazardClasses: 'Hazard classes',
  addClass: 'Add class',
  hazardClass: 'Hazard class',
  category: 'Category',
  noCategory: 'None',
  removeClass: (name: string) => `Remove ${name}`,
  remove: 'Remove',
  standards: { 1: 'ADG', 2: 'IATA', 3: 'IMDG', 4: 'GHS' } as Readonly<Record<number, string>>,

  unitChain: 'Unit chain',
  chainOf: (text: string) => `Chain: ${text}`,
  item: 'Item',
  virtualPallet: 'Virtual pallet',
  unitName: ({ metricType, name }: UnitName): string =>
    metricType === MetricType.Item
      ? 'Item'
      : metricType === MetricType.VirtualPallet
        ? 'Virtual pallet'
        : (name ?? '–'),
  holds: (rate: number, of: string) => `${quantity(rate)} × ${of}`,
  items: (rate: number) => `= ${plural(rate, 'item')}`,
  oneItem: 'what is counted',
  noChain: 'It is counted in items only. Add a unit, such as a carton of 12.',
  editUnits: 'Edit',
  addUnit: 'Add unit',
  unitRow: (n: number) => `Unit ${n}`,
  holdsField: 'Holds',
  of: 'of',
  removeUnit: (n: number) => `Remove unit ${n}`,
  chainFault: 'Each unit must lead to items, by itself or by others.',

  converter: 'Converter',
  quantity: 'Quantity',
  inUnit: 'In',
  converted: 'Is',
  result: (n: number, unit: string) => `${quantity(n)} ${unit}`,
  whole: 'In whole units',

  label: 'Label',
  downloadLabel: 'Download label',
  printLabel: 'Print label',
  printer: 'Printer',
  copies: 'Copies',
  size: 'Size',
  printed: (code: string, printer: string) => `The label of ${code} is sent to ${printer}`,
  noPrinter: 'No printer prints labels.',
  deactivate: 'Deactivate',
  deactivateWhy: (code: string) =>
    `Nobody can order or announce ${code} any more. What is on open orders goes on. It can be activated again.`,
  activate: 'Activate',
  more: 'More',
} as const
