// The kinds of columns that reports have. A kind says what its values are in JSON, how the database writes
// them, and how a table shows them. Spec 2.18; the types follow from the names of fields.

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

/** How a spreadsheet shows the cells of a column. */
export type CellKind = 'text' | 'number' | 'money' | 'date' | 'time' | 'flag'

/** A column of a report. The rows of the report have it under its name in snake_case. */
export interface Column {
  /** in words, as the heading of a table */
  readonly heading: string
  /** characters that the column is wide in a table */
  readonly width: number
  /** a value in JSON */
  readonly schema: TSchema
  /** what the value is turned into for JSON */
  readonly json: (value: Sql) => Sql
  /** the text of a cell, the same in CSV and, before it is formatted, in a spreadsheet */
  readonly text: (value: Sql) => Sql
  readonly cell: CellKind
  /** the values have a name each, which spreadsheets show */
  readonly values?: EnumerationValues
  /** its sum means something */
  readonly isSummed?: true
  /** for programs: a spreadsheet has it and hides it */
  readonly isHidden?: true
  /** what a table has in its place */
  readonly spread?: (filters: Readonly<Record<string, unknown>>) => Columns
}

/** Columns by their names in JSON. */
export type Columns = Readonly<Record<string, Column>>

const asItIs = (value: Sql): Sql => value
const written = (value: Sql): Sql => sql`${value}::text`
const trimmed = (value: Sql): Sql => sql`trim_scale((${value})::numeric)`
const trimmedText = (value: Sql): Sql => sql`trim_scale((${value})::numeric)::text`

/** An id, for programs. */
export const id: Column = {
  ...{ heading: 'Id', width: 38, schema: Uuid, json: asItIs, text: written, cell: 'text' },
  isHidden: true,
}

/** A text. */
export const text = (heading: string, width = 16): Column => ({
  ...{ heading, width, schema: Type.String(), json: asItIs, text: asItIs, cell: 'text' },
})

/** A plain date. */
export const date = (heading: string): Column => ({
  ...{ heading, width: 12, schema: PlainDate, json: asItIs, text: written, cell: 'date' },
})

const LocalTimeText = Type.String({ format: 'local-date-time' })
const asLocal = (value: Sql): Sql => sql`as_local(${value})`
const asUtc = (value: Sql): Sql => sql`as_utc(${value})`

/** A wall-clock time of the row's warehouse. */
export const localTime = (heading: string): Column => ({
  ...{ heading, width: 17, schema: LocalTimeText, json: asLocal, text: asLocal, cell: 'time' },
})

/** An instant. */
export const instant = (heading: string): Column => ({
  ...{ heading: `${heading} (UTC)`, width: 21, schema: UtcTime, json: asUtc, text: asUtc, cell: 'time' },
})

const figure = (heading: string, cell: CellKind = 'number'): Column => ({
  ...{ heading, width: 12, schema: Type.Number(), json: trimmed, text: trimmedText, cell },
})

/** A quantity, weight or volume, of which a sum means something. */
export const quantity = (heading: string): Column => ({ ...figure(heading), isSummed: true })

/** A number of which no sum means anything, such as a rate or a percentage. */
export const rate = (heading: string): Column => figure(heading)

/** An amount of money. */
export const money = (heading: string): Column => ({ ...figure(heading, 'money'), isSummed: true })

/** A whole number of something. */
export const count = (heading: string): Column => ({
  ...{ heading, width: 10, schema: Count, json: asItIs, text: written, cell: 'number' },
})

/** A whole number, which may be below zero. */
export const whole = (heading: string): Column => ({ ...count(heading), schema: Type.Integer() })

/** Yes or no. */
export const flag = (heading: string): Column => ({
  ...{ heading, width: 10, schema: Type.Boolean(), json: asItIs, text: written, cell: 'flag' },
})

/** A value of an enumeration. */
export const enumeration = (heading: string, values: EnumerationValues): Column => ({
  ...{ heading, width: 16, schema: IntegerEnum(values), json: asItIs, text: written, cell: 'text', values },
})

/** Texts: an array in JSON, joined by commas in tables. The rows have a text[]. */
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

/** Something of several fields: JSON that the rows have made, and in tables the text that is made of it. */
export const nested = (
  heading: string,
  schema: TSchema,
  text: Column['text'],
  spread?: Column['spread'],
): Column => ({
  ...{ heading, width: 30, schema, json: asItIs, text, cell: 'text' },
  ...(spread === undefined ? {} : { spread }),
})

/** A column that may be empty. */
export const maybe = (column: Column): Column => ({ ...column, schema: nullable(column.schema) })

/** Columns that may be empty. */
export const maybes = <const C extends Columns>(columns: C) =>
  Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, maybe(column)])) as C

/** `onHand` as its three figures, in words: `onHandQuantity`, `onHandWeightKG`, `onHandVolumeM3`. */
export const figures = (name: string, heading: string): Columns => ({
  [`${name}Quantity`]: quantity(heading),
  [`${name}WeightKG`]: quantity(`${heading} kg`),
  [`${name}VolumeM3`]: quantity(`${heading} m³`),
})

/** The columns as a table has them. */
export const tableColumns = (columns: Columns, filters: Readonly<Record<string, unknown>>): Columns =>
  Object.fromEntries(
    Object.entries(columns).flatMap(([name, column]) =>
      column.spread === undefined ? [[name, column]] : Object.entries(column.spread(filters)),
    ),
  )

/** The name of a column in the rows of its report. */
export const sqlName = (name: string): string => snakeCase(name)

/** `ReadyToPick` as `Ready to pick`. */
export const inWords = (name: string): string =>
  `${name[0]}${name.slice(1).replace(/(?<=[a-z])[A-Z]/g, capital => ` ${capital.toLowerCase()}`)}`.replaceAll(
    '_',
    ' ',
  )
