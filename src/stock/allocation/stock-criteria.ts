// The criteria of lines for their stock, in SQL: `unsuitableReason` and `compareRotation` for many lines and
// many rows at once. Spec 2.11.

import { raw, type Sql, sql } from '../../platform/database/db.ts'
import { tableOf } from '../../platform/database/table-of.ts'
import { snakeCase } from '../../platform/database/write.ts'
import { StockDepletionMethod, Substitution } from '../../vocabulary/partners.ts'
import { CriticalStockStatus } from '../../vocabulary/stock.ts'
import { type DescriptionField, descriptionFieldNames } from '../ledger/stock-identity.ts'
import type { OutboundLine } from './outbound-lines.ts'
import { type RotationRules, rotationKeyOf } from './rotation.ts'
import { dateFieldNames } from './substitution.ts'

const requiredKey = (field: DescriptionField) => `${field} required`
const preferredKey = (field: DescriptionField) => `${field} preferred`

/** Returns the criteria of a line as statements read them. Lines with equal criteria form one class. */
export const criteriaOf = (line: OutboundLine) => ({
  warehouseId: line.warehouseId,
  productId: line.productId,
  method: line.rotationMethod,
  secondary: line.rotationMethodSecondary,
  depletion: line.stockDepletionMethod,
  today: line.today,
  requiresUnit: line.unitName !== null,
  unitId: line.logisticUnitId,
  critical: line.criticalStockStatus,
  ...(line.criticalStockStatus === null ? {} : { days: line.criticalDays }),
  attributes: line.attributes.map(({ productAttributeId, description }) => ({
    productAttributeId,
    description,
  })),
  // For each field, the value that is required and the one that is preferred.
  ...Object.fromEntries(
    descriptionFieldNames.flatMap(field => {
      const isRequired = line.substitutions[field] === Substitution.NotAllowed
      const value = field === 'batch' ? (line.batch?.toLowerCase() ?? null) : line[field]
      return [
        [requiredKey(field), isRequired ? value : null],
        [preferredKey(field), isRequired ? null : value],
      ]
    }),
  ),
})

const rotationKeys = (method: Sql) => sql`case when ${method} = 1 then p.batch end collate "C",
  rotation_date(${method}, p.best_before_date, p.expiry_date, p.packaging_date, p.production_date,
    p.sell_by_date, p.received_date)`

const criteriaColumns = raw(
  descriptionFieldNames
    .flatMap(field => [requiredKey(field), preferredKey(field)].map(name => `"${name}" ${typeOf(field)}`))
    .join(', '),
)

function typeOf(field: DescriptionField) {
  return field === 'batch' ? 'text' : 'date'
}

function columnOf(field: DescriptionField) {
  return field === 'batch' ? 'lower(p.batch)' : `p.${snakeCase(field)}`
}

/** The number of preferences of criteria `c` that row `p` meets. */
const preferencesMet = raw(
  descriptionFieldNames
    .map(field => `coalesce((${columnOf(field)} = c."${preferredKey(field)}")::integer, 0)`)
    .join(' + '),
)

const isCritical = raw(
  dateFieldNames
    .map(field => `coalesce(${columnOf(field)} <= c.today + (c.days->>'${field}')::integer, false)`)
    .join(' or '),
)

/** Whether row `p` is acceptable for lines with the criteria `c`. */
export const isAcceptable = sql`(not c."requiresUnit" or p.logistic_unit_id = c."unitId")
  and ${raw(
    descriptionFieldNames
      .map(field => `(c."${requiredKey(field)}" is null or ${columnOf(field)} = c."${requiredKey(field)}")`)
      .join(' and '),
  )}
  and (c.attributes = '[]' or not exists (
    select from jsonb_array_elements(c.attributes) as g where not exists (
      select from jsonb_array_elements(p.attributes) as h
      where h->>'productAttributeId' = g->>'productAttributeId'
        and (g->>'description' is null or lower(h->>'description') = lower(g->>'description'))
    )
  ))
  and (c.critical is null or (${isCritical}) = (c.critical = ${CriticalStockStatus.CriticalStock}))
  and (p.expiry_date is null or p.expiry_date >= c.today or c."requiresUnit"
    or coalesce(
      lower(p.batch) in (c."${raw(requiredKey('batch'))}", c."${raw(preferredKey('batch'))}"), false))`

/** The order of rows `p` by the rotation of `c`: both of its methods, then the received date. */
export const byRotation = sql`${rotationKeys(sql`c.method`)}, ${rotationKeys(sql`c.secondary`)},
  (p.received_date - date '2000-01-01') * (3 - 2 * c.depletion)`

/** The order of rows `p` for lines with the criteria `c`: preferences met, then rotation. */
export const candidateOrder = sql`${preferencesMet} desc, ${byRotation}`

/** Returns whether a line has no criteria. This is the usual case, and the query for it is far cheaper. */
export const hasNoCriteria = (line: OutboundLine): boolean =>
  line.unitName === null &&
  line.criticalStockStatus === null &&
  line.attributes.length === 0 &&
  descriptionFieldNames.every(field => line[field] === null)

/** Lines, each with the number of rows that the statement should find for it. */
type LineSearches = readonly { line: OutboundLine; size: number }[]

/**
 * Returns the parts of the query that finds rows `p` for lines without criteria and with the same rotation:
 * their table `c`, the condition and the order. The order uses plain columns, so that an index can serve it.
 */
export const searchWithoutCriteria = (searches: LineSearches, rotation: RotationRules) => ({
  table: tableOf(
    'c',
    { n: 'integer', size: 'integer', warehouseId: 'uuid', productId: 'uuid', today: 'date' },
    searches.map(({ line: { warehouseId, productId, today }, size }, n) => ({
      ...{ n, size, warehouseId, productId, today },
    })),
  ),
  preferencesMet: sql`0`,
  isAcceptable: sql`(p.expiry_date is null or p.expiry_date >= c.today)`,
  order: rotationOrder(rotation),
})

/** Returns the same for lines with criteria. */
export const searchByCriteria = (searches: LineSearches) => ({
  table: criteriaTable(searches),
  preferencesMet,
  isAcceptable,
  order: candidateOrder,
})

/** The order of rows `p` by one rotation, as plain columns. */
function rotationOrder({
  rotationMethod,
  rotationMethodSecondary,
  stockDepletionMethod,
}: RotationRules): Sql {
  const keys = [rotationMethod, rotationMethodSecondary].flatMap(method => {
    const rotated = rotationKeyOf(method)
    if (rotated === null) return []
    const { field, isDescending } = rotated
    const column = `p.${snakeCase(field)}`
    if (field === 'batch') return `${column} collate "C"`
    // Unknown dates go last. The received date is never null, so it needs no such clause.
    return isDescending ? `${column} desc${field === 'receivedDate' ? '' : ' nulls last'}` : column
  })
  const isLIFO = stockDepletionMethod === StockDepletionMethod.LIFO
  return raw([...keys, `p.received_date${isLIFO ? ' desc' : ''}`].join(', '))
}

/** The criteria of lines as the table `c`, numbered `n` in their order, with the number of rows as `size`. */
export const criteriaTable = (searches: LineSearches): Sql =>
  sql`json_to_recordset(${JSON.stringify(
    searches.map(({ line, size }, n) => ({ ...criteriaOf(line), n, size })),
  )}) as c (n integer, size integer, "warehouseId" uuid, "productId" uuid, method smallint,
    secondary smallint, depletion smallint, today date, "requiresUnit" boolean, "unitId" uuid,
    critical smallint, days jsonb, attributes jsonb, ${criteriaColumns})`
