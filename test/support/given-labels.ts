// Labels for visual tests and scanning: plain, with long texts, in nine scripts, without an SSCC, with
// several contents.

import type { Label, Overflow } from '../../src/paper/labels/label.ts'
import {
  type LocationData,
  type LocationSize,
  locationLabel,
} from '../../src/paper/labels/location-layout.ts'
import type { PalletData, PalletGoods } from '../../src/paper/labels/pallet-data.ts'
import { type PalletSize, palletLabel } from '../../src/paper/labels/pallet-layout.ts'
import { type ProductData, type ProductSize, productLabel } from '../../src/paper/labels/product-layout.ts'
import { locationSizes, palletSizes, productSizes } from '../../src/paper/labels/sizes.ts'

const honey: ProductData = {
  clientName: 'Kauri Foods',
  code: 'HONEY-500',
  name: 'Manuka honey UMF 15+, glass jar 500 g',
  unitName: 'Jar',
  gtin: '9421234567892',
  barcode: null,
  batch: 'L2026-117',
  expiryDate: '2029-03-31',
  serial: null,
  dangerousGoods: null,
}

const nineScripts = 'Māori Жito Ελλ 麦卢卡 마누카 مانوكا מנוקה ผึ้ง मधु'

/** The data of product labels, by what is special about them. */
export const products: Record<string, ProductData> = {
  plain: honey,
  serial: { ...honey, serial: 'SN(7)/0012345' },
  code: { ...honey, gtin: null, batch: null, expiryDate: null },
  codeWithBatch: { ...honey, gtin: null },
  dangerous: {
    ...{ ...honey, clientName: 'Resene Paints', code: 'PNT-1263', name: 'Enamel paint, gloss white, 4 L' },
    ...{ unitName: 'Can', dangerousGoods: 'UN 1263 Class 3 (6.1)' },
  },
  long: {
    ...honey,
    clientName: 'The Consolidated Honey and Beeswax Export Company of Aotearoa New Zealand Limited',
    code: 'MANUKA-HONEY-UMF15-500G-GLASS-JAR-EXPORT-CARTON-24',
    name: 'Manuka honey with a Unique Manuka Factor of at least fifteen, in glass jars of 500 g, for export',
    gtin: null,
    serial: '20260117-0000012345',
  },
  scripts: { ...honey, clientName: nineScripts, name: `${nineScripts} ${nineScripts}` },
}

const honeyOnPallet: PalletGoods = {
  productCode: 'HONEY-500',
  productName: 'Manuka honey UMF 15+, glass jar 500 g',
  gtin: '9421234567892',
  quantity: 48,
  unitName: 'Carton',
  batch: 'L117',
  bestBeforeDate: '2029-03-31',
  expiryDate: null,
  dangerousGoods: null,
}

const pallet: PalletData = {
  logisticUnitNumber: 'LU-000123',
  ssccNumber: '394212340000001236',
  referenceNumber: null,
  clientName: 'Kauri Foods',
  consignmentNumber: 'MYW-000123-OUT',
  consignmentReference: 'SO-88172',
  from: { name: 'Auckland DC', lines: ['12 Savill Drive', 'Mangere East', 'Auckland 2024', 'New Zealand'] },
  to: {
    name: 'Moore Wilson Fresh',
    lines: ['Attn Receiving', '93 Tory Street', 'Te Aro', 'Wellington 6011', 'New Zealand'],
  },
  contents: [honeyOnPallet],
}

const longParty = {
  name: 'The Consolidated Honey and Beeswax Export Company of Aotearoa New Zealand Limited',
  lines: [
    'Unit 12, Building 4, The Very Long Logistics Park, 12345 Great North Road',
    'Rangitikei',
    'Palmerston North 4410',
    'New Zealand',
  ],
}

/** The data of pallet labels, by what is special about them. */
export const pallets: Record<string, PalletData> = {
  plain: pallet,
  noSscc: { ...pallet, ssccNumber: null },
  twoDates: { ...pallet, contents: [{ ...honeyOnPallet, expiryDate: '2029-06-30' }] },
  longBatch: { ...pallet, contents: [{ ...honeyOnPallet, batch: 'LOT-2026/117(B)-AKL' }] },
  dangerous: { ...pallet, contents: [{ ...honeyOnPallet, dangerousGoods: 'UN 1263 Class 3 (6.1)' }] },
  longNumber: {
    ...pallet,
    ssccNumber: null,
    logisticUnitNumber: null,
    referenceNumber: 'KAURI/2026/EXPORT/HONEY-AND-TEA/PALLET-0001-OF-24',
  },
  many: {
    ...pallet,
    contents: Array.from({ length: 80 }, (_, i) => ({
      ...{ ...honeyOnPallet, productCode: `TEA-${i}`, productName: 'Kawakawa tea, 20 bags', quantity: 1 },
      dangerousGoods: i < 2 ? `UN 195${i} Class 2.1` : null,
    })),
  },
  several: {
    ...pallet,
    contents: [
      honeyOnPallet,
      { ...honeyOnPallet, batch: 'L118', quantity: 12.5 },
      ...Array.from({ length: 12 }, (_, i) => ({
        ...honeyOnPallet,
        productCode: `TEA-${i}`,
        productName: 'Kawakawa tea, 20 bags',
        quantity: 1000 + i,
      })),
    ],
  },
  empty: { ...pallet, contents: [], consignmentNumber: null, to: null },
  long: {
    ...pallet,
    clientName: longParty.name,
    from: longParty,
    to: longParty,
    contents: [{ ...honeyOnPallet, gtin: null, productName: longParty.name, batch: 'A'.repeat(60) }],
  },
  scripts: {
    ...pallet,
    clientName: nineScripts,
    from: { name: '上海麦卢卡蜂蜜有限公司', lines: ['南京西路1266号', '上海 200040', '中国'] },
    to: {
      name: 'ร้านน้ำผึ้งมานูก้า สุขุมวิท',
      lines: ['٢٣ شارع الشيخ زايد', 'דרך מנחם בגין 132', '서울특별시 강남구', 'नई दिल्ली', 'Ōtautahi'],
    },
    contents: [{ ...honeyOnPallet, productName: nineScripts }],
  },
}

/** The data of location labels, by what is special about them. */
export const locations: Record<string, LocationData> = {
  plain: { name: 'A-01-1', zoneName: 'Ambient', warehouseName: 'Auckland DC' },
  short: { name: 'Q1', zoneName: null, warehouseName: 'Auckland DC' },
  long: {
    name: 'COLDSTORE-NORTH-AISLE-12-BAY-07-LEVEL-3',
    zoneName: 'Cold store north',
    warehouseName: 'Auckland DC',
  },
  scripts: { name: 'Ōtāhuhu 北-01', zoneName: '冷库', warehouseName: 'Auckland DC' },
}

/** The label, if everything fits on it. */
export function whole(label: Label | Overflow): Label {
  if ('overflow' in label) throw new Error(`Does not fit: ${label.overflow.join(', ')}.`)
  return label
}

/** A label, its subject and its size. */
export interface LabelCase {
  name: string
  label: Label
}

const inAllSizes = ['plain', 'long']

/** Every label in its usual size, and some in all sizes, for printers of this resolution. */
export function givenLabels(dotsPerMM: number): LabelCase[] {
  const all = <Facts, Size extends string>(
    kind: string,
    facts: Record<string, Facts>,
    sizes: object,
    make: (facts: Facts, size: Size, dotsPerMM: number) => Label | Overflow,
  ): LabelCase[] =>
    Object.entries(facts).flatMap(([name, subject]) =>
      (Object.keys(sizes) as Size[])
        .filter((_, i) => i === 0 || inAllSizes.includes(name))
        .map(size => {
          return { name: `${kind}-${name}-${size}`, label: whole(make(subject, size, dotsPerMM)) }
        }),
    )
  return [
    ...all<ProductData, ProductSize>('product', products, productSizes, productLabel),
    ...all<PalletData, PalletSize>('pallet', pallets, palletSizes, palletLabel),
    ...all<LocationData, LocationSize>('location', locations, locationSizes, locationLabel),
  ]
}
