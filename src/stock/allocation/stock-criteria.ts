// What lines ask of their stock, as statements read it: `refusalOfSubstitute` and `compareRotation` for many
// lines and many rows at once. Spec 2.11.

import { StockDepletionMethod, Substitution } from '../../partners/enumerations.ts'
import { raw, type Sql, sql } from '../../platform/database/db.ts'
import { tableOf } from '../../platform/database/table-of.ts'
import { snakeCase } from '../../platform/database/write.ts'
import { CriticalStockStatus } from '../enumerations.ts'
import type { OutwardLine } from './outward-lines.ts'
import { type RotationRules, rotationKeyOf } from './rotation.ts'
import { type DescriptionField, dateFields, descriptionFields } from './substitution.ts'

const required = (field: DescriptionField) => `${field} required`
const wished = (field: DescriptionField) => `${field} wished`

/** What a line asks, as the statement reads it. Lines of which this is equal are one class. */
export const criteriaOf = (line: OutwardLine) => ({
  warehouseId: line.warehouseId,
  productId: line.productId,
  method: line.rotationMethod,
  secondary: line.rotationMethodSecondary,
  depletion: line.stockDepletionMethod,
  today: line.today,
  asksUnit: line.unitName !== null,
  unitId: line.logisticUnitId,
  critical: line.criticalStockStatus,
  ...(line.criticalStockStatus === null ? {} : { days: line.criticalDays }),
  attributes: line.attributes.map(({ productAttributeId, description }) => ({
    productAttributeId,
    description,
  })),
  // What must be as asked, and what is a wish, by field.
  ...Object.fromEntries(
    descriptionFields.flatMap(field => {
      const isRequired = line.substitutions[field] === Substitution.NotAllowed
      const value = field === 'batch' ? (line.batch?.toLowerCase() ?? null) : line[field]
      return [
        [required(field), isRequired ? value : null],
        [wished(field), isRequired ? null : value],
      ]
    }),
  ),
})

const byMethod = (method: Sql) => sql`case when ${method} = 1 then p.batch end collate "C",
  rotation_date(${method}, p.best_before_date, p.expiry_date, p.packaging_date, p.production_date,
    p.sell_by_date, p.received_date)`

const columns = raw(
  descriptionFields
    .flatMap(field => [required(field), wished(field)].map(name => `"${name}" ${typeOf(field)}`))
    .join(', '),
)

function typeOf(field: DescriptionField) {
  return field === 'batch' ? 'text' : 'date'
}

function stored(field: DescriptionField) {
  return field === 'batch' ? 'lower(p.batch)' : `p.${snakeCase(field)}`
}

/** How many wishes of `c` a row `p` fulfils. */
const preferencesMet = raw(
  descriptionFields
    .map(field => `coalesce((${stored(field)} = c."${wished(field)}")::integer, 0)`)
    .join(' + '),
)

const isCritical = raw(
  dateFields
    .map(field => `coalesce(${stored(field)} <= c.today + (c.days->>'${field}')::integer, false)`)
    .join(' or '),
)

/** Whether the lines of `c` may have a row `p`, by what it is. */
export const isAcceptable = sql`(not c."asksUnit" or p.logistic_unit_id = c."unitId")
  and ${raw(
    descriptionFields
      .map(field => `(c."${required(field)}" is null or ${stored(field)} = c."${required(field)}")`)
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
  and (p.expiry_date is null or p.expiry_date >= c.today or c."asksUnit"
    or coalesce(lower(p.batch) in (c."${raw(required('batch'))}", c."${raw(wished('batch'))}"), false))`

/** The order of rows `p` by the rotation of `c`: its method, its second one, then the received date. */
export const byRotation = sql`${byMethod(sql`c.method`)}, ${byMethod(sql`c.secondary`)},
  (p.received_date - date '2000-01-01') * (3 - 2 * c.depletion)`

/** The order of rows `p` for the lines of `c`: wishes, then rotation. */
export const candidateOrder = sql`${preferencesMet} desc, ${byRotation}`

/** Whether a line asks nothing of its stock: the usual one, for which far less has to be looked at. */
export const hasNoCriteria = (line: OutwardLine): boolean =>
  line.unitName === null &&
  line.criticalStockStatus === null &&
  line.attributes.length === 0 &&
  descriptionFields.every(field => line[field] === null)

/** Lines of which a statement wants so many rows each. */
type Asked = readonly { line: OutwardLine; size: number }[]

/**
 * How rows `p` are found for lines that ask nothing and are rotated alike: their table `c`, `isAllowed` and
 * the order. It is spelt by columns, so that an index can serve it.
 */
export const searchWithoutCriteria = (asked: Asked, rotation: RotationRules) => ({
  table: tableOf(
    'c',
    { n: 'integer', size: 'integer', warehouseId: 'uuid', productId: 'uuid', today: 'date' },
    asked.map(({ line: { warehouseId, productId, today }, size }, n) => ({
      ...{ n, size, warehouseId, productId, today },
    })),
  ),
  preferencesMet: sql`0`,
  isAllowed: sql`(p.expiry_date is null or p.expiry_date >= c.today)`,
  order: inRotation(rotation),
})

/** The same for lines that ask for something. */
export const searchByCriteria = (asked: Asked) => ({
  table: criteriaTable(asked),
  preferencesMet,
  isAllowed: isAcceptable,
  order: candidateOrder,
})

/** The order of rows `p` by one rotation. */
function inRotation({ rotationMethod, rotationMethodSecondary, stockDepletionMethod }: RotationRules): Sql {
  const keys = [rotationMethod, rotationMethodSecondary].flatMap(method => {
    const rotated = rotationKeyOf(method)
    if (rotated === null) return []
    const { field, isDescending } = rotated
    const column = `p.${snakeCase(field)}`
    if (field === 'batch') return `${column} collate "C"`
    // What is not known goes last. All stock was received on some day, which an index knows without being
    // told.
    return isDescending ? `${column} desc${field === 'receivedDate' ? '' : ' nulls last'}` : column
  })
  const isLIFO = stockDepletionMethod === StockDepletionMethod.LIFO
  return raw([...keys, `p.received_date${isLIFO ? ' desc' : ''}`].join(', '))
}

/**
 * What lines ask, as the table `c`, numbered `n` in their order; `size` is how many rows are wanted for each.
 */
export const criteriaTable = (asked: Asked): Sql =>
  sql`json_to_recordset(${JSON.stringify(
    asked.map(({ line, size }, n) => ({ ...criteriaOf(line), n, size })),
  )}) as c (n integer, size integer, "warehouseId" uuid, "productId" uuid, method smallint,
    secondary smallint, depletion smallint, today date, "asksUnit" boolean, "unitId" uuid, critical smallint,
    days jsonb, attributes jsonb, ${columns})`
