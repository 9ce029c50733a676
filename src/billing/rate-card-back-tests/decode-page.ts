// A page of columns as consignments that the evaluator takes. What many of them share (ids, what is known of
// a product, the facts that selectors look at) is one object, so that little has to be made for each.

import { sql } from '../../platform/database/db.ts'
import type { SnapshotReader } from '../../platform/database/shared-snapshot.ts'
import { factsOf, localitiesOf, type StoredProductFacts } from '../charges/charge-subject.ts'
import { ChargePartKind } from '../enumerations.ts'
import { textLines, WholeColumn } from '../rate-cards/array-columns.ts'
import type { ChargePart } from '../rate-cards/charge-input.ts'
import type { Whole } from '../rate-cards/exact.ts'
import type { Area, Place } from '../rate-cards/locality.ts'
import type { MeasurementCache } from '../rate-cards/rate-pool.ts'
import type { Columns, EarlierAdjustment } from './read-consignments.ts'
import { type PartSubject, SharedFacts, SharedHeader, type SharedTerms } from './shared-facts.ts'

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
  offer: MeasurementCache | undefined
  billed: BilledAmounts
  adjusted: readonly EarlierAdjustment[]
}

/** What a consignment was billed: amounts in cents, in the order in which the charges stand. */
export class BilledAmounts {
  readonly #amounts: WholeColumn
  readonly #begin: number
  readonly length: number

  constructor(amounts: WholeColumn, n: number) {
    this.#amounts = amounts
    this.#begin = amounts.begin(n)
    this.length = amounts.begin(n + 1) - this.#begin
  }

  /** The amount of a charge; null where the charge was left out by hand. */
  at(i: number): Whole | null {
    return this.#amounts.at(this.#begin + i)
  }
}

/** Of texts that consignments share, about so many are remembered. */
const remembered = 50_000

/** Decodes pages; what consignments share is remembered from page to page. */
export class PageDecoder {
  readonly #organisationId: string
  readonly #localities: readonly { id: string; areas: Area[] }[]
  #shared = new SharedFacts()

  /** `localities`: those that the tested card names. */
  constructor(organisationId: string, localities: readonly { id: string; areas: Area[] }[]) {
    this.#organisationId = organisationId
    this.#localities = localities
  }

  /** Reads what is known of the products of parts, where it is not remembered. */
  async #readFacts(reader: SnapshotReader, shared: SharedFacts, subjects: Int32Array): Promise<void> {
    const unknown = new Map<string, (PartSubject & { kind: typeof ChargePartKind.Line })[]>()
    for (const number of new Set(subjects)) {
      const subject = shared.subjects.at(number)
      if (subject.kind !== ChargePartKind.Line || subject.factsId === null || subject.facts !== null) continue
      subject.facts = shared.facts.get(subject.factsId) ?? null
      if (subject.facts !== null) continue
      const alike = unknown.get(subject.factsId)
      if (alike === undefined) unknown.set(subject.factsId, [subject])
      else alike.push(subject)
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

  /** Reads the localities of the tested card that both ends of ways are in, where they are not remembered. */
  async #readPlaces(reader: SnapshotReader, shared: SharedFacts, ways: Int32Array): Promise<void> {
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
  async decode(reader: SnapshotReader, page: Columns, columns: PageColumns): Promise<DecodedPage> {
    // A page that is looked at keeps what it shares.
    if (this.#shared.size > remembered) this.#shared = new SharedFacts()
    const shared = this.#shared
    const headers = shared.headers.numbersOf(page.facts)
    const terms = shared.terms.numbersOf(page.terms)
    const subjects = shared.subjects.numbersOf(page.subjects)
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
    shared: SharedFacts,
    { headers, terms, subjects, ways }: PageNumbers,
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
          ways.length === 0 ? header : this.#tested(shared, headers[n] as number, ways[n] as number),
        parts,
        offer: undefined,
        billed: new BilledAmounts(amounts, n),
        adjusted: adjusted?.get(ids[n] as string) ?? none,
      }
    }
  }

  /** The header with the localities that the tested card names and its ends are in. */
  #tested(shared: SharedFacts, header: number, way: number): SharedHeader {
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

/** A part has so many figures: quantity, weight, volume, logistic units and serials. */
const figuresOfPart = 5

/** A part of which the figures begin at a place. */
function partOf(subject: PartSubject, figures: WholeColumn, at: number): ChargePart {
  const quantity = figures.at(at) as Whole
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
    logisticUnits: figures.small(at + 3),
    serials: figures.small(at + 4),
  }
}

/** What earlier back-tests adjusted, by the id of the consignment; undefined: nothing. */
function adjustedOf({ adjusted }: Columns): Map<string, EarlierAdjustment[]> | undefined {
  if (adjusted === null || adjusted === undefined) return undefined
  return Map.groupBy((JSON.parse(adjusted) as EarlierAdjustment[][]).flat(), one => one.consignmentId)
}

const columnNames = ['numbers', 'figures', 'amounts'] as const

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

const none: readonly never[] = []

/** The ids of both, each once. */
const together = (known: readonly string[], found: readonly string[] = none): readonly string[] => {
  if (found.length === 0) return known
  const more = found.filter(id => !known.includes(id))
  return more.length === 0 ? known : [...known, ...more]
}
