// A page of columns as consignments that the evaluator takes. What many of them share (ids, what is known of
// a product, the facts that selectors look at) is one object, so that little has to be made for each.

import { sql } from '../../platform/database/db.ts'
import type { MomentReader } from '../../platform/database/moment.ts'
import { factsOf, localitiesOf, type ReadFacts } from '../charges/charge-subject.ts'
import { ChargePartKind } from '../enumerations.ts'
import { PlacedRows, WholeColumn } from '../rate-cards/array-columns.ts'
import type { ChargePart, LinePart } from '../rate-cards/charge-input.ts'
import type { Whole } from '../rate-cards/exact.ts'
import type { Area, Place } from '../rate-cards/locality.ts'
import type { Offer } from '../rate-cards/offer.ts'
import type { Adjusted, Columns, LeftOut } from './read-consignments.ts'
import { Shared, SharedHeader, type SharedTerms } from './shared-facts.ts'

/** A Closed consignment. */
export interface TestedConsignment {
  id: string
  closingNumber: number
  terms: SharedTerms
  /** the charge instant, in milliseconds since 1970 */
  instant: number
  /** with the localities of then, and with those that the tested card names besides */
  header: SharedHeader
  testedHeader: SharedHeader
  parts: ChargePart[]
  /** of its parts, once it has been evaluated */
  offer: Offer | undefined
  billed: BilledAmounts
  leftOut: readonly LeftOut[]
  adjusted: readonly Adjusted[]
}

/** What a consignment was billed: amounts in cents, in the order in which the charges stand. */
export class BilledAmounts {
  readonly #amounts: WholeColumn
  readonly #rows: PlacedRows
  readonly #begin: number
  readonly length: number

  constructor(amounts: WholeColumn, rows: PlacedRows, n: number) {
    this.#amounts = amounts
    this.#rows = rows
    this.#begin = rows.begin(n)
    this.length = rows.begin(n + 1) - this.#begin
  }

  at(i: number): Whole {
    return this.#amounts.at(this.#rows.rowAt(this.#begin + i)) as Whole
  }
}

/** What few parts have besides their figures. */
type PartText = [place: number, attributes: LinePart['attributes'] | null, code: string | null]

/** Of texts that consignments share, about so many are remembered. */
const remembered = 50_000

/** Decodes pages; what consignments share is remembered from page to page. */
export class PageDecoder {
  readonly #organisationId: string
  readonly #localities: readonly { id: string; areas: Area[] }[]
  #shared = new Shared()

  /** `localities`: those that the tested card names. */
  constructor(organisationId: string, localities: readonly { id: string; areas: Area[] }[]) {
    this.#organisationId = organisationId
    this.#localities = localities
  }

  /** Reads what is known of the products of parts, where it is not remembered. */
  async #readFacts(reader: MomentReader, shared: Shared, subjects: Int32Array): Promise<void> {
    const unknown = new Set<string>()
    for (const number of subjects) {
      const subject = shared.subjects.at(number)
      if (subject.kind !== ChargePartKind.Line || subject.factsId === '') continue
      if (!shared.facts.has(subject.factsId)) unknown.add(subject.factsId)
    }
    if (unknown.size === 0) return
    const rows = await reader.rows<{ id: string; facts: ReadFacts }>(sql`
      select id, facts from product_facts
      where organisation_id = ${this.#organisationId} and id = any(${[...unknown]})`)
    for (const { id, facts } of rows) shared.facts.set(id, factsOf(facts))
  }

  /** Reads the localities of the tested card that both ends of ways are in, where they are not remembered. */
  async #readPlaces(reader: MomentReader, shared: Shared, ways: Int32Array): Promise<void> {
    if (this.#localities.length === 0) return
    const unknown = new Set<string>()
    for (const number of ways)
      for (const id of shared.ways.at(number)) if (id !== '' && !shared.places.has(id)) unknown.add(id)
    if (unknown.size === 0) return
    const rows = await reader.rows<{ id: string; facts: Place }>(sql`
      select id, facts from place_facts
      where organisation_id = ${this.#organisationId} and id = any(${[...unknown]})`)
    for (const { id, facts } of rows) shared.places.set(id, localitiesOf(facts, this.#localities))
  }

  /**
   * The consignments of a page, in its order. Each is made when it is asked for: so it lives shortly, which
   * costs much less than keeping a page of them. `columns` are those of one page at a time.
   */
  async decode(reader: MomentReader, page: Columns, columns: PageColumns): Promise<DecodedPage> {
    // A page that is looked at keeps what it shares.
    if (this.#shared.size > remembered) this.#shared = new Shared()
    const shared = this.#shared
    const headers = shared.headers.numbersOf(page.facts)
    const terms = shared.terms.numbersOf(page.terms)
    const subjects = shared.subjects.numbersOf(page.part_subjects)
    const ways = shared.ways.numbersOf(page.places)
    for (const name of columnNames) columns[name].read(page[name])
    await this.#readPlaces(reader, shared, ways)
    await this.#readFacts(reader, shared, subjects)
    const versionIds = new Set(Array.from(terms, number => shared.terms.at(number).versionId))
    return {
      versionIds: [...versionIds].filter(id => id !== null),
      consignments: () => this.#consignments(page, columns, shared, { headers, terms, subjects, ways }),
    }
  }

  *#consignments(
    page: Columns,
    columns: PageColumns,
    shared: Shared,
    { headers, terms, subjects, ways }: PageNumbers,
  ): Generator<TestedConsignment, void, undefined> {
    const ids = page.ids as string
    const { closing_numbers: closingNumbers, instants } = columns
    const rows = rowsOf(page, columns, headers.length)
    const partAt = partsOf(page, columns, shared, subjects)
    for (let n = 0; n < headers.length; n++) {
      const header = shared.headers.at(headers[n] as number)
      yield {
        id: ids.slice(1 + n * (idLength + 1), (n + 1) * (idLength + 1)),
        closingNumber: closingNumbers.small(n),
        terms: shared.terms.at(terms[n] as number),
        instant: instants.small(n),
        header,
        testedHeader:
          ways.length === 0 ? header : this.#tested(shared, headers[n] as number, ways[n] as number),
        parts: rows.parts(n, partAt),
        offer: undefined,
        ...rows.of(n),
      }
    }
  }

  /** The header with the localities that the tested card names and its ends are in. */
  #tested(shared: Shared, header: number, way: number): SharedHeader {
    const known = shared.headers.at(header)
    if (this.#localities.length === 0) return known
    const [origin, destination] = shared.ways.at(way)
    const { originLocalityIds, destinationLocalityIds } = known.header
    const origins = together(originLocalityIds, shared.places.get(origin))
    const destinations = together(destinationLocalityIds, shared.places.get(destination))
    if (origins === originLocalityIds && destinations === destinationLocalityIds) return known
    const key = `${header} ${origins.join('+')} ${destinations.join('+')}`
    let tested = shared.testedHeaders.get(key)
    if (tested === undefined) {
      tested = new SharedHeader({
        ...known.header,
        originLocalityIds: origins,
        destinationLocalityIds: destinations,
      })
      shared.testedHeaders.set(key, tested)
    }
    return tested
  }
}

/** The numbers of what is shared, of each consignment or part of a page. */
interface PageNumbers {
  headers: Int32Array
  terms: Int32Array
  subjects: Int32Array
  /** empty where no end of any way is known */
  ways: Int32Array
}

/** Makes the part of a row. */
function partsOf(
  page: Columns,
  { quantities, weights, volumes, part_places: places }: PageColumns,
  shared: Shared,
  subjects: Int32Array,
): (row: number) => ChargePart {
  const told = new Map<number, PartText>()
  for (const one of JSON.parse(page.part_texts ?? '[]') as PartText[]) told.set(one[0], one)
  return row => {
    const subject = shared.subjects.at(subjects[row] as number)
    const quantity = quantities.at(row) as Whole
    if (subject.kind !== ChargePartKind.Line) return { kind: subject.kind, typeId: subject.typeId, quantity }
    const texts = told.size === 0 ? undefined : told.get(places.small(row))
    return {
      kind: subject.kind,
      productId: subject.productId,
      facts: shared.facts.get(subject.factsId) ?? null,
      attributes: texts?.[1] ?? noAttributes,
      packageTypeCode: texts?.[2] ?? null,
      quantity,
      weight: weights.at(row),
      volume: volumes.at(row),
      logisticUnits: subject.units,
      serials: subject.serials,
    }
  }
}

const columnNames = [
  ...(['closing_numbers', 'instants', 'part_places', 'quantities', 'weights', 'volumes'] as const),
  ...(['billed_places', 'billed_amounts'] as const),
]

/** The numbers of a page; those of the next one stand in the same place. */
export type PageColumns = Readonly<Record<(typeof columnNames)[number], WholeColumn>>

/** Columns of which nothing has been read. */
export const pageColumns = (): PageColumns =>
  Object.fromEntries(columnNames.map(name => [name, new WholeColumn()])) as PageColumns

/** A page, decoded. */
export interface DecodedPage {
  /** the versions that its consignments were billed by */
  versionIds: readonly string[]
  /** can be gone through once */
  consignments(): Generator<TestedConsignment, void, undefined>
}

/** What of the rows of a page belongs to each consignment. */
function rowsOf(page: Columns, columns: PageColumns, count: number) {
  const parts = new PlacedRows(columns.part_places, count)
  const billed = new PlacedRows(columns.billed_places, count)
  const amounts = columns.billed_amounts
  const byNumber = <T extends { n: number }>(text: string | null | undefined) =>
    text === null || text === undefined ? undefined : Map.groupBy(JSON.parse(text) as T[], ({ n }) => n)
  const leftOut = byNumber<LeftOut>(page.left_out)
  const adjusted = byNumber<Adjusted>(page.adjusted)
  return {
    parts(n: number, partAt: (row: number) => ChargePart): ChargePart[] {
      const found: ChargePart[] = []
      for (let at = parts.begin(n); at < parts.begin(n + 1); at++) found.push(partAt(parts.rowAt(at)))
      return found
    },
    of: (n: number) => ({
      billed: new BilledAmounts(amounts, billed, n),
      leftOut: leftOut?.get(n) ?? nothing,
      adjusted: adjusted?.get(n) ?? nothing,
    }),
  }
}
const nothing: readonly never[] = []

const none: readonly string[] = []
const noAttributes: LinePart['attributes'] = []
const idLength = 36

/** The ids of both, each once. */
const together = (known: readonly string[], found: readonly string[] = none): readonly string[] => {
  if (found.length === 0) return known
  const more = found.filter(id => !known.includes(id))
  return more.length === 0 ? known : [...known, ...more]
}
