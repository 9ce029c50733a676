// Stock age: how long ago what is there was received, by brackets of days. Spec 4.16.

import { join, raw, type Sql, sql } from '../platform/database/db.ts'
import { snakeCase } from '../platform/database/write.ts'
import { Count, nullable, Type } from '../platform/http/schema.ts'
import type { Finding } from '../platform/http/validation.ts'
import { type Columns, date, figures, nested, quantity, whole } from './columns.ts'
import { otherFilter, stockFilters } from './filters.ts'
import { report } from './report.ts'
import {
  clientColumns,
  clientValues,
  dayOfStock,
  onHandSums,
  productColumns,
  productValues,
  stock,
  stockKeys,
  stockNames,
  warehouseColumns,
  warehouseValues,
} from './stock.ts'

const usualBrackets = [30, 60, 90, 180]

/** A bracket of ages. The last one has no end. */
interface Bracket {
  from: number
  to: number | null
}

/** The brackets that end at these days, and one behind them. */
function bracketsOf(asked: unknown): Bracket[] {
  const ends = Array.isArray(asked) ? (asked as number[]) : usualBrackets
  return [...ends, null].map((to, i) => ({ from: i === 0 ? 0 : (ends[i - 1] as number) + 1, to }))
}

const nameOf = ({ from, to }: Bracket) =>
  to === null ? `ageFrom${from}Quantity` : `age${from}To${to}Quantity`
const inWords = ({ from, to }: Bracket) => (to === null ? `${from} days and more` : `${from} to ${to} days`)

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
  Object.fromEntries(bracketsOf(ageBrackets).map(bracket => [nameOf(bracket), quantity(inWords(bracket))]))

const risingFaults = (value: unknown): Finding[] =>
  Array.isArray(value) && value.some((day, i) => i > 0 && day <= value[i - 1])
    ? [{ path: '', problem: 'must rise from each to the next' }]
    : []

export const stockAge = report({
  name: 'stock-age',
  title: 'Stock age',
  chapter: 'stock',
  description:
    'How many days ago what is there was received, by product in each warehouse. A bracket ends with the ' +
    'day that is given for it, and one follows behind the last. CSV and Excel have a column a bracket.',
  partners: 'all',
  filters: {
    ...stockFilters,
    ageBrackets: otherFilter('Brackets', {
      ...Type.Array(Type.Integer({ minimum: 1, maximum: 100_000 }), {
        minItems: 1,
        maxItems: 12,
        rule: risingFaults,
      }),
      description: 'The last day of each bracket, rising; default 30, 60, 90, 180.',
    }),
  },
  columns: {
    ...warehouseColumns,
    ...clientColumns,
    ...productColumns,
    oldestReceivedDate: date('Oldest'),
    averageAgeDays: whole('Average days'),
    ...figures('onHand', 'On hand'),
    ageBrackets: nested('By age', Type.Array(AgeBracket), value => sql`${value}::text`, bracketColumns),
  },
  rows: asked => {
    const brackets = bracketsOf(asked.filters.ageBrackets)
    return sql`
      select ${warehouseValues}, ${clientValues}, ${productValues},
        min(s.received_date) as oldest_received_date,
        round(sum(s.on_hand_quantity * a.days) / sum(s.on_hand_quantity))::integer as average_age_days,
        ${onHandSums}, json_build_array(${join(brackets.map(bracketJson))}) as age_brackets,
        ${join(brackets.map(one => sql`${sumIn(one, 'quantity')} as ${raw(`"${snakeCase(nameOf(one))}"`)}`))}
      from ${stock(asked)} s ${stockNames}
      cross join lateral (select greatest(${dayOfStock(asked)} - s.received_date, 0) as days) a
      group by ${stockKeys}`
  },
  order: sql`warehouse_name, partner_name, partner_product_code, partner_product_id, warehouse_id`,
})
