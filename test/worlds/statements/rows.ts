// How the rows of a report are compared with what is known: every column of them, or the report fails.

import assert from 'node:assert/strict'
import { dateFields, type Identity, type Product, round4, round6 } from '../notebook/goods.ts'
import { ask, type World } from '../world.ts'
import { sameFigure, sameText } from './figures.ts'
import type { Row } from './read-stock.ts'

/** The rows of a report. */
export const run = (world: World, name: string, body: object = {}): Promise<Row[]> =>
  ask(world, 'post', `/v1/reports/${name}`, body)

/** How much figures of a name may differ, for parts of one act share out what their rounding leaves over. */
const toleranceOf = (name: string): number =>
  name.endsWith('WeightKG') || name === 'weightKG'
    ? 0.0041
    : name.endsWith('VolumeM3') || name === 'volumeM3'
      ? 0.000041
      : 0

/** How rows are compared. */
interface Comparison {
  what: string
  /** the columns that tell rows apart; figures of rows that are the same in these are summed */
  keys: readonly string[]
  /** the columns that the notebook knows nothing of */
  unknown?: readonly string[]
}

/** Rows that are the same in their keys as one, with the sums of their figures. */
function merge(rows: readonly Row[], keys: readonly string[]): [key: string, row: Row][] {
  const groups = Map.groupBy(rows, row => JSON.stringify(keys.map(key => row[key])))
  return [...groups]
    .map(([key, own]): [string, Row] => {
      const sums = Object.keys(own[0]).map(name => {
        const isSum = !keys.includes(name) && own.every(row => typeof row[name] === 'number')
        return [name, isSum ? own.reduce((all, row) => all + row[name], 0) : own[0][name]]
      })
      return [key, Object.fromEntries(sums)]
    })
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
}

/** Fails if rows are missing, if there are too many, or if any of their columns tells something else. */
export function sameRows(
  told: readonly Row[],
  known: readonly Row[],
  { what, keys, unknown = [] }: Comparison,
): void {
  const [all, expected] = [merge(told, keys), merge(known, keys)]
  sameText(
    all.map(([key]) => key),
    expected.map(([key]) => key),
    `${what}, its rows`,
  )
  for (const [i, [key, facts]] of expected.entries()) {
    const row = all[i]?.[1]
    const compared = [...Object.keys(facts), ...unknown].toSorted()
    assert.deepEqual(Object.keys(row).toSorted(), compared, `${what} has columns that are not compared`)
    for (const [name, fact] of Object.entries(facts))
      compareCell(row[name], fact, name, `${what}, ${key}, ${name}`)
  }
}

function compareCell(told: unknown, known: unknown, name: string, what: string): void {
  if (typeof told === 'number' && typeof known === 'number')
    sameFigure(told, round6(known), what, toleranceOf(name) + 1e-9)
  else sameText(told, known, what)
}

/** Quantity, weight and volume as columns of a name. */
export const figuresOf = (
  name: string,
  { quantity, weight, volume }: { quantity: number | null; weight: number | null; volume: number | null },
) => ({
  [`${name}Quantity`]: quantity === null ? null : round4(quantity),
  [`${name}WeightKG`]: weight === null ? null : round4(weight),
  [`${name}VolumeM3`]: volume === null ? null : round6(volume),
})

/** The sums of a list of quantities, weights and volumes. */
export const totalsOf = (
  parts: readonly { quantity: number; weight: number; volume: number }[],
): { quantity: number; weight: number; volume: number } => ({
  quantity: round4(parts.reduce((all, { quantity }) => all + quantity, 0)),
  weight: round4(parts.reduce((all, { weight }) => all + weight, 0)),
  volume: round6(parts.reduce((all, { volume }) => all + volume, 0)),
})

export const colleagueName = 'Bea Packer'
export const clientName = 'Kauri Foods'
export const carrierName = 'Swift'
export const warehouseName = 'Auckland'

export const warehouseOf = ({ warehouseId }: World) => ({ warehouseId, warehouseName })
export const clientOf = ({ clientId }: World) => ({ partnerId: clientId, partnerName: clientName })
export const productOf = ({ id, code, name }: Product) => ({
  ...{ partnerProductId: id, partnerProductCode: code, partnerProductName: name },
})

export const datesOf = (look: Identity['look']) => ({
  batch: look.batch,
  ...Object.fromEntries(dateFields.map(field => [field, look[field]])),
})

export const unitOf = ({ unit }: Pick<Identity, 'unit'>) => ({
  logisticUnitNumber: unit?.number ?? null,
  logisticUnitReferenceNumber: unit === null || unit.isSscc ? null : unit.name,
  logisticUnitSsccNumber: unit?.isSscc ? unit.name : null,
})

export const placeTypes = { racking: 1, bulk: 2, quarantine: 3, dock: 4 }

export const placeOf = ({ id, name, kind, zone }: Identity['place']) => ({
  ...{ warehouseLocationId: id, warehouseLocationName: name, warehouseLocationType: placeTypes[kind] },
  warehouseZoneName: zone?.name ?? null,
})

/** The words of attributes, whatever their ids. */
export const wordsOfAttributes = (attributes: readonly Row[]): Row =>
  Object.fromEntries(attributes.map(({ name, description }) => [name, description]))
