// Decodes a page of columns to consignments for the evaluator. What many consignments share (ids, facts of
// products, headers) is one object, so that few objects are created for each.

import { sql } from '../../platform/database/db.ts'
import type { SnapshotReader } from '../../platform/database/shared-snapshot.ts'
import { ChargePartKind } from '../../vocabulary/billing.ts'
import { factsOf, localitiesOf, type StoredProductFacts } from '../charges/billable-consignment.ts'
import { figuresOfPart } from '../charges/closing-texts.ts'
import { ColumnBuffer, textLines } from '../evaluator/array-columns.ts'
import type { ChargePart } from '../evaluator/charge-input.ts'
import type { ExactInteger } from '../evaluator/exact.ts'
import type { Area, Place } from '../evaluator/locality.ts'
import type { MeasurementCache } from '../evaluator/rate-pool.ts'
import type { Columns, EarlierAdjustment } from './read-consignments.ts'
import { type PartSubject, SharedFacts, SharedHeader, type SharedTerms } from './shared-facts.ts'

/** A Closed consignment to test. */
export interface TestedConsignment {
  id: string
  closingNumber: number
  terms: SharedTerms
  /** the charge instant, in milliseconds since 1970 */
  instant: number
  /** the header as frozen, and the same with the localities that the tested card refers to */
  header: SharedHeader
  testedHeader: SharedHeader
  parts: ChargePart[]
  /** the measurements of its parts, once it has been evaluated */
  measurements: MeasurementCache | undefined
  billed: BilledAmounts
  adjusted: readonly EarlierAdjustment[]
}

/** The amounts that a consignment was billed, in cents, in the order of its charges. */
export class BilledAmounts {
  readonly #amounts: ColumnBuffer
  readonly #begin: number
  readonly length: number

  constructor(amounts: ColumnBuffer, n: number) {
    this.#amounts = amounts
    this.#begin = amounts.begin(n)
    this.length = amounts.begin(n + 1) - this.#begin
  }

  /** The amount of a charge; null if the charge was excluded by hand. */
  at(i: number): ExactInteger | null {
    return this.#amounts.at(this.#begin + i)
  }
}

/** About how many shared facts are cached before the cache is emptied. */
const maxCached = 50_000

/** Decodes pages. Facts that consignments share are cached from page to page. */
export class PageDecoder {
  readonly #organisationId: string
  readonly #localities: readonly { id: string; areas: Area[] }[]
  #shared = new SharedFacts()

  /** `localities` are those that the tested card refers to. */
  constructor(organisationId: string, localities: readonly { id: string; areas: Area[] }[]) {
    this.#organisationId = organisationId
    this.#localities = localities
  }

  /** Reads the facts of the products of parts that are not cached. */
  async #readFacts(reader: SnapshotReader, shared: SharedFacts, subjects: Int32Array): Promise<void> {
    const unknown = new Map<string, (PartSubject & { kind: typeof ChargePartKind.Line })[]>()
    for (const number of new Set(subjects)) {
      const subject = shared.subjects.at(number)
      if (subject.kind !== ChargePartKind.Line || subject.factsId === null || subject.facts !== null) continue
      subject.facts = shared.facts.get(subject.factsId) ?? null
      if (subject.facts !== null) continue
      const sameFacts = unknown.get(subject.factsId)
      if (sameFacts === undefined) unknown.set(subject.factsId, [subject])
      else sameFacts.push(subject)
    }
    if (unknown.size === 0) return
    const rows = await reader.rows<{ id: string; facts: StoredProductFacts }>(sql`
      select id, facts from product_facts
      where organisation_id = ${this.#organisationId} and id = any(${[...unknown.keys()]})`)
    for (const { id, facts } of rows) {
      const read = factsOf(facts)
      shared.facts.set(id, read)
      for (const subject of unknown.get(id) ?? []) subject.facts = read
    }
  }

  /** Finds the localities of the tested card for the origins and destinations that are not cached. */
  async #readPlaces(reader: SnapshotReader, shared: SharedFacts, routes: Int32Array): Promise<void> {
    if (this.#localities.length === 0) return
    const unknown = new Set<string>()
    for (const number of routes)
      for (const id of shared.routes.at(number)) if (id !== '' && !shared.places.has(id)) unknown.add(id)
    if (unknown.size === 0) return
    const rows = await reader.rows<{ id: string; facts: Place }>(sql`
      select id, facts from place_facts
      where organisation_id = ${this.#organisationId} and id = any(${[...unknown]})`)
    for (const { id, facts } of rows) shared.places.set(id, localitiesOf(facts, this.#localities))
  }

  /**
   * Decodes a page to its consignments, in order. Each consignment is created on demand and short-lived,
   * which costs much less than keeping a page of them. `columns` are reused, and belong to one page at a
   * time.
   */
  async decode(reader: SnapshotReader, page: Columns, columns: PageColumns): Promise<DecodedPage> {
    // A page that is still being read keeps its own reference to the old cache.
    if (this.#shared.size > maxCached) this.#shared = new SharedFacts()
    const shared = this.#shared
    const headers = shared.headers.numbersOf(page.facts)
    const terms = shared.terms.numbersOf(page.terms)
    const subjects = shared.subjects.numbersOf(page.subjects)
    const routes = shared.routes.numbersOf(page.places)
    for (const name of columnNames) columns[name].read(page[name])
    await this.#readPlaces(reader, shared, routes)
    await this.#readFacts(reader, shared, subjects)
    const versionIds = new Set(Array.from(terms, number => shared.terms.at(number).versionId))
    return {
      versionIds: [...versionIds].filter(id => id !== null),
      consignments: () => this.#consignments(page, columns, shared, { headers, terms, subjects, routes }),
    }
  }

  *#consignments(
    page: Columns,
    columns: PageColumns,
    shared: SharedFacts,
    { headers, terms, subjects, routes }: PageNumbers,
  ): Generator<TestedConsignment, void, undefined> {
    const ids = textLines(page.ids)
    const adjusted = adjustedOf(page)
    const { numbers, figures, amounts } = columns
    for (let n = 0; n < headers.length; n++) {
      const header = shared.headers.at(headers[n] as number)
      const parts: ChargePart[] = []
      for (let at = figures.begin(n); at < figures.begin(n + 1); at += figuresOfPart)
        parts.push(partOf(shared.subjects.at(subjects[at / figuresOfPart] as number), figures, at))
      yield {
        id: ids[n] as string,
        closingNumber: numbers.small(numbers.begin(n)),
        terms: shared.terms.at(terms[n] as number),
        instant: numbers.small(numbers.begin(n) + 1),
        header,
        testedHeader:
          routes.length === 0 ? header : this.#tested(shared, headers[n] as number, routes[n] as number),
        parts,
        measurements: undefined,
        billed: new BilledAmounts(amounts, n),
        adjusted: adjusted?.get(ids[n] as string) ?? none,
      }
    }
  }

  /** Adds to a header the localities of the tested card that its origin and destination are in. */
  #tested(shared: SharedFacts, header: number, route: number): SharedHeader {
    const known = shared.headers.at(header)
    if (this.#localities.length === 0) return known
    const [origin, destination] = shared.routes.at(route)
    const { originLocalityIds, destinationLocalityIds } = known.header
    const origins = unionOf(originLocalityIds, shared.places.get(origin))
    const destinations = unionOf(destinationLocalityIds, shared.places.get(destination))
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

/** The numbers of the shared facts of each consignment or part of a page. */
interface PageNumbers {
  headers: Int32Array
  terms: Int32Array
  subjects: Int32Array
  /** empty if no origin or destination is known */
  routes: Int32Array
}

/** Decodes a part whose figures begin at an index. */
function partOf(subject: PartSubject, figures: ColumnBuffer, at: number): ChargePart {
  const quantity = figures.at(at) as ExactInteger
  if (subject.kind !== ChargePartKind.Line) return { kind: subject.kind, typeId: subject.typeId, quantity }
  return {
    kind: subject.kind,
    productId: subject.productId,
    facts: subject.facts,
    attributes: subject.attributes,
    packageTypeCode: subject.packageTypeCode,
    quantity,
    weight: figures.at(at + 1),
    volume: figures.at(at + 2),
    logisticUnits: figures.at(at + 3) as number | null,
    serials: figures.small(at + 4),
  }
}

/** The adjustments of earlier back-tests, by the ids of consignments; undefined if there are none. */
function adjustedOf({ adjusted }: Columns): Map<string, EarlierAdjustment[]> | undefined {
  if (adjusted === null || adjusted === undefined) return undefined
  return Map.groupBy(
    (JSON.parse(adjusted) as EarlierAdjustment[][]).flat(),
    adjustment => adjustment.consignmentId,
  )
}

const columnNames = ['numbers', 'figures', 'amounts'] as const

/** The columns of numbers of a page. They are reused for the next page. */
export type PageColumns = Readonly<Record<(typeof columnNames)[number], ColumnBuffer>>

/** Creates columns for `decode` to reuse. */
export const createPageColumns = (): PageColumns =>
  Object.fromEntries(columnNames.map(name => [name, new ColumnBuffer()])) as PageColumns

export interface DecodedPage {
  /** the versions that its consignments were billed by */
  versionIds: readonly string[]
  /** can be iterated once */
  consignments(): Generator<TestedConsignment, void, undefined>
}

const none: readonly never[] = []

/** The union of two lists of ids. Returns `known` itself if there is nothing to add. */
const unionOf = (known: readonly string[], found: readonly string[] = none): readonly string[] => {
  if (found.length === 0) return known
  const more = found.filter(id => !known.includes(id))
  return more.length === 0 ? known : [...known, ...more]
}
