// The kinds of columns in reports. A kind defines the type of its values in JSON, how the database writes
// them, and how CSV and Excel show them. Spec 2.18.

import { type Sql, sql } from '../platform/database/db.ts'
import { snakeCase } from '../platform/database/write.ts'
import {
  Count,
  type EnumerationValues,
  IntegerEnum,
  nullable,
  PlainDate,
  type TSchema,
  Type,
  UtcTime,
  Uuid,
} from '../platform/http/schema.ts'
import { nameInWords } from '../vocabulary/in-words.ts'

/** How a spreadsheet shows the cells of a column. */
export type CellKind = 'text' | 'number' | 'money' | 'date' | 'time' | 'flag'

/** A column of a report. The query of the report returns it under its name in snake_case. */
export interface Column {
  /** the heading in Excel */
  readonly heading: string
  /** width in Excel, in characters */
  readonly width: number
  /** the type of a value in JSON */
  readonly schema: TSchema
  /** converts a value for JSON */
  readonly json: (value: Sql) => Sql
  /** converts a value to text: the cell of CSV, and the cell of Excel before it is formatted */
  readonly text: (value: Sql) => Sql
  readonly cell: CellKind
  /** the names of the values, which Excel shows instead of the numbers */
  readonly values?: EnumerationValues
  /** whether the sum of its values is meaningful */
  readonly isSummed?: true
  /** whether Excel hides it; an id, which only programs need */
  readonly isHidden?: true
  /** the columns that replace it in CSV and Excel */
  readonly expand?: (filters: Readonly<Record<string, unknown>>) => Columns
}

/** Columns by their names in JSON. */
export type Columns = Readonly<Record<string, Column>>

const unchanged = (value: Sql): Sql => value
const asText = (value: Sql): Sql => sql`${value}::text`
const withoutTrailingZeros = (value: Sql): Sql => sql`trim_scale((${value})::numeric)`
const asTrimmedText = (value: Sql): Sql => sql`trim_scale((${value})::numeric)::text`

/** An id, which Excel hides. */
export const id: Column = {
  ...{ heading: 'Id', width: 38, schema: Uuid, json: unchanged, text: asText, cell: 'text' },
  isHidden: true,
}

/** A text. */
export const text = (heading: string, width = 16): Column => ({
  ...{ heading, width, schema: Type.String(), json: unchanged, text: unchanged, cell: 'text' },
})

/** A date without a time of day. */
export const date = (heading: string): Column => ({
  ...{ heading, width: 12, schema: PlainDate, json: unchanged, text: asText, cell: 'date' },
})

const LocalTimeText = Type.String({ format: 'local-date-time' })
const asLocal = (value: Sql): Sql => sql`as_local(${value})`
const asUtc = (value: Sql): Sql => sql`as_utc(${value})`

/** A wall-clock time in the zone of the row's warehouse. */
export const localTime = (heading: string): Column => ({
  ...{ heading, width: 17, schema: LocalTimeText, json: asLocal, text: asLocal, cell: 'time' },
})

/** An instant, in UTC. */
export const instant = (heading: string): Column => ({
  ...{ heading: `${heading} (UTC)`, width: 21, schema: UtcTime, json: asUtc, text: asUtc, cell: 'time' },
})

const figure = (heading: string, cell: CellKind = 'number'): Column => ({
  ...{ heading, width: 12, schema: Type.Number(), json: withoutTrailingZeros, text: asTrimmedText, cell },
})

/** A quantity, weight or volume: its sum is meaningful. */
export const quantity = (heading: string): Column => ({ ...figure(heading), isSummed: true })

/** A number whose sum is not meaningful, such as a rate or a percentage. */
export const rate = (heading: string): Column => figure(heading)

/** An amount of money. */
export const money = (heading: string): Column => ({ ...figure(heading, 'money'), isSummed: true })

/** A count: a whole number from 0. */
export const count = (heading: string): Column => ({
  ...{ heading, width: 10, schema: Count, json: unchanged, text: asText, cell: 'number' },
})

/** A whole number, which may be negative. */
export const integer = (heading: string): Column => ({ ...count(heading), schema: Type.Integer() })

/** A boolean. */
export const flag = (heading: string): Column => ({
  ...{ heading, width: 10, schema: Type.Boolean(), json: unchanged, text: asText, cell: 'flag' },
})

/** A value of an enumeration. */
export const enumeration = (heading: string, values: EnumerationValues): Column => ({
  ...{ heading, width: 16, schema: IntegerEnum(values), json: unchanged, text: asText, cell: 'text', values },
})

/** Several texts: a text[] in the rows, an array in JSON, joined by commas in CSV and Excel. */
export const list = (heading: string, width = 24): Column => ({
  ...{
    heading,
    width,
    schema: Type.Array(Type.String()),
    cell: 'text',
    json: value => sql`to_json(${value})`,
  },
  text: value => sql`nullif(array_to_string(${value}, ', '), '')`,
})

/**
 * A structured value: the rows hold it as JSON. In CSV and Excel it is the text that `text` makes of it, or
 * the columns that `expand` returns.
 */
export const structuredColumn = (
  heading: string,
  schema: TSchema,
  text: Column['text'],
  expand?: Column['expand'],
): Column => ({
  ...{ heading, width: 30, schema, json: unchanged, text, cell: 'text' },
  ...(expand === undefined ? {} : { expand }),
})

/** The column, with null among its values. */
export const nullableColumn = (column: Column): Column => ({ ...column, schema: nullable(column.schema) })

/** The columns, each with null among its values. */
export const nullableColumns = <const C extends Columns>(columns: C) =>
  Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, nullableColumn(column)])) as C

/** Quantity, weight and volume: `onHand` gives `onHandQuantity`, `onHandWeightKG` and `onHandVolumeM3`. */
export const figures = (name: string, heading: string): Columns => ({
  [`${name}Quantity`]: quantity(heading),
  [`${name}WeightKG`]: quantity(`${heading} kg`),
  [`${name}VolumeM3`]: quantity(`${heading} m³`),
})

/** The columns in CSV and Excel. */
export const tableColumns = (columns: Columns, filters: Readonly<Record<string, unknown>>): Columns =>
  Object.fromEntries(
    Object.entries(columns).flatMap(([name, column]) =>
      column.expand === undefined ? [[name, column]] : Object.entries(column.expand(filters)),
    ),
  )

/** The name of a column in the query of its report. */
export const sqlName = (name: string): string => snakeCase(name)

/** Turns a name into words: `ReadyToPick` into `Ready to pick`. */
export const headingText = (name: string): string => nameInWords(name).replaceAll('_', ' ')
