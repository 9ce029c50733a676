// Stock age: stock on hand by the number of days since it was received, in brackets. Spec 4.16.

import { join, raw, type Sql, sql } from '../platform/database/db.ts'
import { snakeCase } from '../platform/database/write.ts'
import { Count, nullable, Type } from '../platform/http/schema.ts'
import type { ValidationError } from '../platform/http/validation.ts'
import { type Columns, date, figures, integer, quantity, structuredColumn } from './columns.ts'
import { filter, stockFilters } from './filters.ts'
import { report } from './report.ts'
import {
  clientColumns,
  clientValues,
  onHandSums,
  productColumns,
  productValues,
  stockDay,
  stockGroupKeys,
  stockJoins,
  stockRows,
  warehouseColumns,
  warehouseValues,
} from './stock.ts'

const defaultLastDays = [30, 60, 90, 180]

/** A bracket of ages in days, both ends included. The last bracket has no end. */
interface Bracket {
  from: number
  to: number | null
}

/** The brackets with these last days, and one after them. */
function bracketsOf(lastDays: unknown): Bracket[] {
  const ends = Array.isArray(lastDays) ? (lastDays as number[]) : defaultLastDays
  return [...ends, null].map((to, i) => ({ from: i === 0 ? 0 : (ends[i - 1] as number) + 1, to }))
}

const columnName = ({ from, to }: Bracket) =>
  to === null ? `ageFrom${from}Quantity` : `age${from}To${to}Quantity`
const daysOf = (n: number) => (n === 1 ? '1 day' : `${n} days`)
const headingOf = ({ from, to }: Bracket) =>
  to === null ? `${daysOf(from)} and more` : `${from} to ${daysOf(to)}`

const isIn = ({ from, to }: Bracket): Sql =>
  to === null
    ? sql`a.days >= ${from}`
    : from === 0
      ? sql`a.days <= ${to}`
      : sql`a.days between ${from} and ${to}`

const sumIn = (bracket: Bracket, figure: string): Sql =>
  sql`trim_scale(coalesce(sum(${raw(`s.on_hand_${figure}`)}) filter (where ${isIn(bracket)}), 0))`

const bracketJson = (bracket: Bracket): Sql => sql`json_build_object('fromDays', ${bracket.from}::integer,
  'toDays', ${bracket.to}::integer, 'quantity', ${sumIn(bracket, 'quantity')},
  'weightKG', ${sumIn(bracket, 'weight_kg')}, 'volumeM3', ${sumIn(bracket, 'volume_m3')})`

const AgeBracket = Type.Object({
  fromDays: Count,
  toDays: nullable(Count),
  quantity: Type.Number(),
  weightKG: Type.Number(),
  volumeM3: Type.Number(),
})

const bracketColumns = ({ ageBrackets }: Readonly<Record<string, unknown>>): Columns =>
  Object.fromEntries(
    bracketsOf(ageBrackets).map(bracket => [columnName(bracket), quantity(headingOf(bracket))]),
  )

const orderFaults = (value: unknown): ValidationError[] =>
  Array.isArray(value) && value.some((day, i) => i > 0 && day <= value[i - 1])
    ? [{ path: '', problem: 'must be in ascending order' }]
    : []

export const stockAge = report({
  name: 'stock-age',
  title: 'Stock age',
  chapter: 'stock',
  description:
    'Stock on hand of each product in each warehouse by the number of days since it was received. Each ' +
    'bracket ends with the given number of days; one more bracket follows the last. CSV and Excel have ' +
    'one column for each bracket.',
  partners: 'all',
  filters: {
    ...stockFilters,
    ageBrackets: filter('Brackets', {
      ...Type.Array(Type.Integer({ minimum: 1, maximum: 100_000 }), {
        minItems: 1,
        maxItems: 12,
        rule: orderFaults,
      }),
      description: 'The last day of each bracket, in ascending order. Default 30, 60, 90, 180.',
    }),
  },
  columns: {
    ...warehouseColumns,
    ...clientColumns,
    ...productColumns,
    oldestReceivedDate: date('Oldest'),
    averageAgeDays: integer('Average days'),
    ...figures('onHand', 'On hand'),
    ageBrackets: structuredColumn(
      'By age',
      Type.Array(AgeBracket),
      value => sql`${value}::text`,
      bracketColumns,
    ),
  },
  rows: request => {
    const brackets = bracketsOf(request.filters.ageBrackets)
    const quantities = brackets.map(
      bracket => sql`${sumIn(bracket, 'quantity')} as ${raw(`"${snakeCase(columnName(bracket))}"`)}`,
    )
    return sql`
      select ${warehouseValues}, ${clientValues}, ${productValues},
        min(s.received_date) as oldest_received_date,
        round(sum(s.on_hand_quantity * a.days) / sum(s.on_hand_quantity))::integer as average_age_days,
        ${onHandSums}, json_build_array(${join(brackets.map(bracketJson))}) as age_brackets,
        ${join(quantities)}
      from ${stockRows(request)} s ${stockJoins}
      cross join lateral (select greatest(${stockDay(request)} - s.received_date, 0) as days) a
      group by ${stockGroupKeys}`
  },
  order: sql`warehouse_name, partner_name, partner_product_code, partner_product_id, warehouse_id`,
})
