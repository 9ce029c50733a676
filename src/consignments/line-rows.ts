// The rows of the lines of a consignment and of their items: how they are stored, read, changed and removed.
// Spec 2.2, 2.3.

import { type Db, raw, type Sql, sql, type Tx } from '../platform/database/db.ts'
import { insertRows } from '../platform/database/insert-rows.ts'
import { snakeCase } from '../platform/database/write.ts'

type Optional<T> = T | null | undefined

/**
 * A line. Its weight is `weightKG`, the sum over the items that have a weight, plus `weightEachKG`, the
 * product's weight, for each of the `unweighedQuantity` without one. The volume works likewise.
 */
export interface LineRow {
  id: string
  consignmentId: string
  ordinal: number
  productId?: Optional<string>
  productCode: string
  goodsDescription?: Optional<string>
  batch?: Optional<string>
  bestBeforeDate?: Optional<string>
  expiryDate?: Optional<string>
  packagingDate?: Optional<string>
  productionDate?: Optional<string>
  sellByDate?: Optional<string>
  packageTypeId?: Optional<string>
  logisticUnitSsccNumber?: Optional<string>
  logisticUnitReferenceNumber?: Optional<string>
  /** the dispatched line of which this one returns goods */
  returnOfConsignmentProductId?: Optional<string>
  criticalStockStatus?: Optional<number>
  isManualReconciliationRequired?: boolean
  attributes?: Optional<object[]>
  expectedQuantity: number
  weightKG?: Optional<number>
  weightEachKG?: Optional<number>
  unweighedQuantity?: Optional<number>
  volumeM3?: Optional<number>
  volumeEachM3?: Optional<number>
  unmeasuredQuantity?: Optional<number>
}

export interface ItemRow {
  consignmentProductId: string
  ordinal: number
  serial?: Optional<string>
  quantity: number
  weightKG?: Optional<number>
  volumeM3?: Optional<number>
}

/** The fields of a line with their SQL types. */
const lineTypes: { [Field in keyof LineRow]-?: string } = {
  id: 'uuid',
  consignmentId: 'uuid',
  ordinal: 'integer',
  productId: 'uuid',
  productCode: 'text',
  goodsDescription: 'text',
  batch: 'text',
  bestBeforeDate: 'timestamp',
  expiryDate: 'timestamp',
  packagingDate: 'timestamp',
  productionDate: 'timestamp',
  sellByDate: 'timestamp',
  packageTypeId: 'uuid',
  logisticUnitSsccNumber: 'text',
  logisticUnitReferenceNumber: 'text',
  returnOfConsignmentProductId: 'uuid',
  criticalStockStatus: 'smallint',
  isManualReconciliationRequired: 'boolean',
  attributes: 'jsonb',
  expectedQuantity: 'numeric',
  weightKG: 'numeric',
  weightEachKG: 'numeric',
  unweighedQuantity: 'numeric',
  volumeM3: 'numeric',
  volumeEachM3: 'numeric',
  unmeasuredQuantity: 'numeric',
}

/** The columns that are computed from fields, and the fields that have no column. */
const computed: Record<string, string | null> = {
  weightKG: null,
  weightEachKG: null,
  unweighedQuantity: null,
  volumeM3: null,
  volumeEachM3: null,
  unmeasuredQuantity: null,
  isManualReconciliationRequired: 'coalesce(r."isManualReconciliationRequired", false)',
  // Null plus anything is null: a line has no weight unless its items or its product have one.
  expectedWeightKG:
    'coalesce(r."weightKG" + r."weightEachKG" * r."unweighedQuantity", ' +
    'r."weightKG", r."weightEachKG" * r."unweighedQuantity")',
  expectedVolumeM3:
    'coalesce(r."volumeM3" + r."volumeEachM3" * r."unmeasuredQuantity", ' +
    'r."volumeM3", r."volumeEachM3" * r."unmeasuredQuantity")',
}

export const insertLines = insertRows<LineRow>('consignment_product', lineTypes, computed)

export const insertItems = insertRows<ItemRow>('consignment_product_item', {
  consignmentProductId: 'uuid',
  ordinal: 'integer',
  serial: 'text',
  quantity: 'numeric',
  weightKG: 'numeric',
  volumeM3: 'numeric',
})

/** A line as it is stored, under the names of the API. */
export interface StoredLine extends Record<string, unknown> {
  id: string
  productId: string | null
  productCode: string
  expectedQuantity: number
  items: { serial: string | null; quantity: number; weightKG: number | null; volumeM3: number | null }[]
}

/** What a change of a line never touches. */
const fixed = ['id', 'consignmentId', 'ordinal', 'returnOfConsignmentProductId']
const changeable = [...new Set([...Object.keys(lineTypes), ...Object.keys(computed)])].filter(
  name => computed[name] !== null && !fixed.includes(name),
)
/** The types of the columns whose digits after the point are fewer than a computed value may have. */
const roundedTypes: Record<string, string> = {
  expectedQuantity: 'numeric(18, 4)',
  expectedWeightKG: 'numeric(18, 4)',
  expectedVolumeM3: 'numeric(18, 6)',
}
const columns = raw(changeable.map(snakeCase).join(', '))
const storedValues = raw(changeable.map(name => `r.${snakeCase(name)} as "${name}"`).join(', '))
const plannedValues = raw(
  changeable
    .map(name => {
      const value = computed[name] ?? `r."${name}"`
      return `${roundedTypes[name] ? `(${value})::${roundedTypes[name]}` : value} as "${name}"`
    })
    .join(', '),
)
const plannedRows = (lines: readonly LineRow[]): Sql =>
  sql`json_to_recordset(${JSON.stringify(lines)}) as r (${raw(
    Object.entries(lineTypes)
      .map(([name, type]) => `"${name}" ${type}`)
      .join(', '),
  )})`

const withoutEmptyTexts = <Line extends object>(line: Line): Line =>
  Object.fromEntries(Object.entries(line).map(([name, value]) => [name, value === '' ? null : value])) as Line

/** A line of a locked consignment; undefined if it has no line with this id. */
export async function readLine(
  db: Db,
  { organisationId, id }: { organisationId: string; id: string },
  lineId: string,
): Promise<StoredLine | undefined> {
  const line = await db.maybe<StoredLine>(sql`
    select r.id, ${storedValues}, coalesce((
        select json_agg(json_build_object('serial', i.serial, 'quantity', i.quantity,
          'weightKG', i.weight_kg, 'volumeM3', i.volume_m3) order by i.ordinal)
        from consignment_product_item i
        where i.organisation_id = r.organisation_id and i.consignment_product_id = r.id
      ), '[]') as items
    from consignment_product r
    where r.organisation_id = ${organisationId} and r.consignment_id = ${id} and r.id = ${lineId}`)
  return line && withoutEmptyTexts(line)
}

/** What lines would be if they were stored. */
export async function describePlanned(
  db: Db,
  lines: readonly LineRow[],
  items: readonly ItemRow[],
): Promise<StoredLine[]> {
  const described = await db.rows<Omit<StoredLine, 'items'>>(
    sql`select r.id, ${plannedValues} from ${plannedRows(lines)} order by r.ordinal`,
  )
  const itemsOf = Map.groupBy(items, ({ consignmentProductId }) => consignmentProductId)
  return (described as StoredLine[]).map(line => ({
    ...withoutEmptyTexts(line),
    items: (itemsOf.get(line.id) ?? []).map(({ serial, quantity, weightKG, volumeM3 }) => ({
      serial: serial ?? null,
      quantity,
      weightKG: weightKG ?? null,
      volumeM3: volumeM3 ?? null,
    })),
  }))
}

const deleteItems = (organisationId: string, lineId: string): Sql => sql`
  delete from consignment_product_item
  where organisation_id = ${organisationId} and consignment_product_id = ${lineId}`

/** Replaces what a line says, and its items. */
export async function updateLine(
  tx: Tx,
  organisationId: string,
  line: LineRow,
  items: readonly ItemRow[],
): Promise<void> {
  await Promise.all([
    tx.run(sql`update consignment_product
      set (${columns}) = (select ${plannedValues} from ${plannedRows([line])})
      where organisation_id = ${organisationId} and id = ${line.id}`),
    tx.run(deleteItems(organisationId, line.id)),
    tx.run(insertItems(organisationId, items)),
  ])
}

/**
 * Removes a line. Those after it move up, so that the lines of a consignment are numbered without gaps. The
 * numbers are unique at any moment, so they go by way of negative ones.
 */
export async function deleteLine(tx: Tx, organisationId: string, lineId: string): Promise<void> {
  await tx.run(deleteItems(organisationId, lineId))
  const { consignmentId, ordinal } = await tx.row<{ consignmentId: string; ordinal: number }>(sql`
    delete from consignment_product where organisation_id = ${organisationId} and id = ${lineId}
    returning consignment_id, ordinal`)
  const renumber = (number: Sql, where: Sql) =>
    tx.run(sql`update consignment_product set ordinal = ${number}
      where organisation_id = ${organisationId} and consignment_id = ${consignmentId} and ${where}`)
  await renumber(sql`-ordinal`, sql`ordinal > ${ordinal}`)
  await renumber(sql`-ordinal - 1`, sql`ordinal < 0`)
}
