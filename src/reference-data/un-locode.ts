// Reads the CSV files of UNECE's UN/LOCODE code list: no header, twelve columns, in UTF-8 or Latin-1. Spec
// 2.16.

import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { validationFailed } from '../platform/http/refusal.ts'
import { plainForms, plainText } from './plain-text.ts'
import { otherPortNames } from './port-names.ts'

export interface UnLocodePlace {
  /** UN/LOCODE: two letters of the country and three characters of the place */
  code: string
  name: string
  country: string
  /** its additional search text, see `plainForms` */
  plainText: string
  /** whether it has a sea or river port (function 1) */
  isPort: boolean
}

// Columns: change, country, location, name, name without diacritics, subdivision, status and function (in
// either order), date, IATA, coordinates, remarks.
const columnCount = 12
const countryPattern = /^[A-Z]{2}$/
const locationPattern = /^[A-Z0-9]{3}$/
// One character for each of eight functions. 1 as the first character means a port.
const functionPattern = /^[0-9B-]{8}$/

const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** A record, and the number of the line on which it ends. */
interface Line {
  record: string[]
  info: { lines: number }
}

/**
 * Yields the places in a file that have a code, in the order of the file. Throws 400 with the file and the
 * line if the file is not a code list, and if it cannot be read.
 */
export async function* readPlaces(file: string): AsyncGenerator<UnLocodePlace> {
  const headings = new Map<string, string>()
  const encoding = (await isUtf8(file)) ? 'utf-8' : 'latin1'
  try {
    const otherNames = await readOtherNames(linesOf(file, encoding))
    for await (const { record, info } of linesOf(file, encoding)) {
      const fault = faultOf(record)
      if (fault !== null) throw validationFailed(`${file}, line ${info.lines}: ${fault}.`)
      const [, country = '', location = '', name = ''] = record.map(field => field.trim())
      // The section of a country begins with its name, such as ".NEW ZEALAND".
      if (location === '' && name.startsWith('.')) headings.set(country, capitalise(name.slice(1)))
      if (location !== '') yield placeOf(record, headings.get(country), otherNames)
    }
  } catch (error) {
    if (error instanceof CsvError)
      throw validationFailed(`${file}, line ${error.lines}: the line is not CSV.`)
    throw error
  }
}

const linesOf = (file: string, encoding: string): AsyncIterable<Line> =>
  Readable.from(textOf(file, encoding)).pipe(
    parse({
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: 10_000,
    }),
  )

const nameKey = (country: string, name: string) => `${country} ${plainText(name).toLowerCase()}`

/** Reads the other names of places, from lines without a location such as "Gothenburg = Göteborg". */
async function readOtherNames(lines: AsyncIterable<Line>): Promise<ReadonlyMap<string, string[]>> {
  const names = new Map<string, string[]>()
  for await (const { record } of lines) {
    const [change, country = '', location, name = ''] = record.map(field => field.trim())
    const [other, own, ...more] = name.split(/\s+=\s+/)
    if (change !== '=' || location !== '' || !other || !own || more.length > 0) continue
    const key = nameKey(country, own)
    names.set(key, [...(names.get(key) ?? []), other])
  }
  return names
}

function faultOf(record: string[]): string | null {
  if (record.length !== columnCount)
    return `there are ${record.length} columns where the code list has ${columnCount}`
  const [, country = '', location = '', name = '', plainName = ''] = record.map(field => field.trim())
  if (!countryPattern.test(country)) return 'the country is not two capital letters'
  if (/\p{Cc}/u.test(`${name}${plainName}`)) return 'the name has control characters'
  if (location === '') return null
  if (!locationPattern.test(location)) return 'the location is not three capital letters or digits'
  return name === '' ? 'the name is missing' : null
}

function placeOf(
  record: string[],
  heading: string | undefined,
  otherNames: ReadonlyMap<string, string[]>,
): UnLocodePlace {
  const [, code = '', location = '', name = '', plainName = '', , ...rest] = record.map(field => field.trim())
  const country = countryNames.of(code) ?? heading ?? code
  const isPort = rest.slice(0, 2).some(field => functionPattern.test(field) && field.startsWith('1'))
  return {
    code: `${code}${location}`,
    name,
    country,
    plainText: plainForms(name, country, [
      plainName || name,
      ...(otherNames.get(nameKey(code, name)) ?? []),
      ...(otherPortNames[`${code}${location}`] ?? []),
    ]),
    isPort,
  }
}

/** Turns "INTERNATIONAL WATERS" into "International Waters". */
const capitalise = (text: string) =>
  text.toLowerCase().replace(/(?<![\p{L}'])\p{L}/gu, letter => letter.toUpperCase())

async function* textOf(file: string, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const bytes of bytesOf(file)) yield decoder.decode(bytes, { stream: true })
  yield decoder.decode()
}

async function isUtf8(file: string): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const bytes of bytesOf(file)) {
    try {
      decoder.decode(bytes, { stream: true })
    } catch {
      return false
    }
  }
  return true
}

async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(file)
  } catch (error) {
    throw validationFailed(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}
