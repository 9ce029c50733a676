// The words of the notebook: products, places, units, holds, and goods that are alike in everything. Nothing
// in this folder knows how the service does its work.

import type { Consignment } from './orders.ts'

/** Rounds a quantity or a weight in kg to four places, half away from zero. */
export const round4 = (value: number): number => Math.round(value * 10_000) / 10_000
/** Rounds a volume in m³ to six places. */
export const round6 = (value: number): number => Math.round(value * 1_000_000) / 1_000_000

/** How a product keeps its serials: not at all, all of them from their receipt, or from when they leave. */
export type Tracking = 'none' | 'full' | 'release'

export interface Product {
  id: string
  code: string
  name: string
  tracking: Tracking
  /** of one item; null if nobody weighed it */
  weight: number | null
  volume: number | null
  /** whether a line that asks for a batch or a date takes another one if it must */
  isSubstitutable: boolean
  /** whether papers and labels must warn of it */
  isDangerous: boolean
}

export interface Place {
  id: string
  name: string
  kind: 'racking' | 'bulk' | 'quarantine' | 'dock'
  /** null or nothing for a place in no zone */
  zone?: Zone | null
}

/** A part of the warehouse. */
export interface Zone {
  id: string
  name: string
  code: string | null
  isActive: boolean
  /** of the deed that made it */
  tag: string
}

/** A pallet. Its name is its SSCC or its reference. */
export interface Unit {
  /** the number that the service gave it, once it has told */
  number: string | null
  id: string | null
  name: string
  isSscc: boolean
  place: Place
  /** with which consignment it left, with the last of its goods; null while it is here */
  leftWith: Consignment | null
}

export interface Hold {
  id: string | null
  kind: number
  reason: string
  /** the line whose receipt made it */
  line: object | null
  /** tells holds without an id apart */
  ordinal: number
  /** of the deed that made it */
  tag: string
  /** what who held it was called then */
  by: string
}

export const dateFields = [
  'bestBeforeDate',
  'expiryDate',
  'packagingDate',
  'productionDate',
  'sellByDate',
] as const
export type DateField = (typeof dateFields)[number]

/** What goods of a product look like: batch, dates as YYYY-MM-DD, and attributes by name. */
export interface Look extends Record<DateField, string | null> {
  batch: string | null
  attributes: Readonly<Record<string, string>>
}

export const plain: Look = {
  batch: null,
  bestBeforeDate: null,
  expiryDate: null,
  packagingDate: null,
  productionDate: null,
  sellByDate: null,
  attributes: {},
}

/** What makes goods alike. */
export interface Identity {
  product: Product
  place: Place
  unit: Unit | null
  hold: Hold | null
  look: Look
  receivedDate: string
}

/** A key that is equal for equal looks. */
export const keyOfLook = (look: Look): string =>
  JSON.stringify([
    look.batch,
    ...dateFields.map(field => look[field]),
    Object.entries(look.attributes).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ])

/** A key that is equal for goods that are alike in everything. */
export const keyOf = ({ product, place, unit, hold, look, receivedDate }: Identity): string =>
  JSON.stringify([
    product.id,
    place.id,
    unit?.name ?? null,
    hold?.ordinal ?? null,
    receivedDate,
    keyOfLook(look),
  ])

/** A name of goods that does not depend on other deeds. */
export const nameOfGoods = ({ product, place, unit, hold, look, receivedDate }: Identity): string =>
  JSON.stringify([product.code, place.name, unit?.name, hold?.tag, receivedDate, keyOfLook(look)])

/** Words for goods, such as `5 APPLE of B1, 2031-05-01 in A-01 on PALLET-1`. */
export function wordsFor(quantity: number, { product, place, unit, hold, look }: Identity): string {
  const facts = [
    look.batch,
    ...dateFields.flatMap(field => (look[field] ? `${field} ${look[field]}` : [])),
    ...Object.entries(look.attributes).map(([name, value]) => `${name} ${value}`),
  ].filter(fact => fact !== null)
  return (
    `${quantity} ${product.code}${facts.length > 0 ? ` of ${facts.join(', ')}` : ''} in ${place.name}` +
    `${unit ? ` on ${unit.name}` : ''}${hold ? ` held for ${hold.reason}` : ''}`
  )
}
