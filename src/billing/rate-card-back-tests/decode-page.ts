// A page of columns as consignments that the evaluator takes. What many of them share (ids, what is known of
// a product, the facts that selectors look at) is one object, so that little has to be made for each.

import type { ConsignmentType } from '../../consignments/enumerations.ts'
import { sql } from '../../platform/database/db.ts'
import type { MomentReader } from '../../platform/database/moment.ts'
import { RecentMap } from '../../platform/recent-map.ts'
import { factsOf, localitiesOf, type ReadFacts } from '../charges/charge-subject.ts'
import { ChargePartKind } from '../enumerations.ts'
import { ownText, PlacedRows, smallItems, textItems, wholeItems } from '../rate-cards/array-columns.ts'
import type { ChargeHeader, ChargePart, LinePart, ProductFacts } from '../rate-cards/charge-input.ts'
import type { CompiledCard } from '../rate-cards/compiled-card.ts'
import { type ChargeTerms, type MatchedCard, matchCard } from '../rate-cards/evaluate.ts'
import type { Whole } from '../rate-cards/exact.ts'
import type { Area, Place } from '../rate-cards/locality.ts'
import type { Offer } from '../rate-cards/offer.ts'
import type { Adjusted, Columns, LeftOut } from './read-consignments.ts'

/** A header that many consignments have, with the cards that were held against it. */
export class SharedHeader {
  readonly header: ChargeHeader
  readonly #matched = new Map<CompiledCard, MatchedCard>()

  constructor(header: ChargeHeader) {
    this.header = header
  }

  matched(card: CompiledCard, side: ChargeTerms['side']): MatchedCard {
    let found = this.#matched.get(card)
    if (found === undefined) {
      found = matchCard(card, side, this.header)
      this.#matched.set(card, found)
    }
    return found
  }
}

/** A Closed consignment. */
export interface TestedConsignment {
  id: string
  closingNumber: number
  partnerId: string
  carrierId: string | null
  /** of the charge date, its year and month: 2026-03 */
  month: string
  /** the charge instant, in milliseconds since 1970 */
  instant: number
  /** the version that it was billed by */
  versionId: string | null
  /** in millionths */
  faf: Whole
  freightResolution: 0 | 1 | 2
  /** with the localities of then, and with those that the tested card names besides */
  header: SharedHeader
  testedHeader: SharedHeader
  parts: ChargePart[]
  /** of its parts, once it has been evaluated */
  offer: Offer | undefined
  /** in cents, in the order in which the charges stand */
  billed: readonly Whole[]
  leftOut: readonly LeftOut[]
  adjusted: readonly Adjusted[]
}

/** Of each kind of what is shared, so much is remembered. */
const remembered = 50_000

/** What few parts have besides their figures. */
type PartText = [place: number, attributes: LinePart['attributes'] | null, code: string | null]

/** Decodes pages; what consignments share is remembered from page to page. */
export class PageDecoder {
  readonly #organisationId: string
  readonly #localities: readonly { id: string; areas: Area[] }[]
  readonly #ids = new RecentMap<string>(remembered)
  readonly #lists = new RecentMap<readonly string[]>(remembered)
  readonly #facts = new RecentMap<ProductFacts>(remembered)
  /** the localities of the tested card that a place is in */
  readonly #places = new RecentMap<readonly string[]>(remembered)
  readonly #headers = new RecentMap<SharedHeader>(remembered)

  /** `localities`: those that the tested card names. */
  constructor(organisationId: string, localities: readonly { id: string; areas: Area[] }[]) {
    this.#organisationId = organisationId
    this.#localities = localities
  }

  /** The one text of an id; null is none. */
  #id(text: string): string | null {
    if (text === 'NULL') return null
    const known = this.#ids.get(text)
    if (known !== undefined) return known
    const own = ownText(text)
    this.#ids.set(own, own)
    return own
  }

  #list(text: string): readonly string[] {
    if (text === 'NULL') return none
    let known = this.#lists.get(text)
    if (known === undefined) {
      const own = ownText(text)
      known = own.split('+').map(id => this.#id(id) as string)
      this.#lists.set(own, known)
    }
    return known
  }

  #header(header: ChargeHeader): SharedHeader {
    const key =
      `${header.consignmentType} ${header.carrierId} ${header.warehouseId} ${header.priority} ` +
      `${header.weekday} ${header.isContainerised} ${header.containerSize} ${header.containerType} ` +
      `${header.serviceTypeIds.join('+')} ${header.originLocalityIds.join('+')} ` +
      header.destinationLocalityIds.join('+')
    let known = this.#headers.get(key)
    if (known === undefined) {
      known = new SharedHeader(header)
      this.#headers.set(key, known)
    }
    return known
  }

  /** What the ids of columns stand for: remembered, or read by `read`. */
  async #known<Value>(
    columns: (string | null | undefined)[],
    remembered: RecentMap<Value>,
    read: (ids: string[]) => Promise<[string, Value][]>,
  ): Promise<Map<string, Value>> {
    const found = new Map<string, Value>()
    const unknown: string[] = []
    for (const id of new Set(columns.flatMap(column => textItems(column ?? null)))) {
      const known = remembered.get(id)
      if (known !== undefined) found.set(id, known)
      else if (id !== 'NULL') unknown.push(id)
    }
    if (unknown.length === 0) return found
    for (const [id, value] of await read(unknown)) {
      found.set(id, value)
      remembered.set(id, value)
    }
    return found
  }

  /** What is known of the products of a page. */
  #productsOf(reader: MomentReader, page: Columns): Promise<Map<string, ProductFacts>> {
    return this.#known([page.part_facts], this.#facts, async ids => {
      const rows = await reader.rows<{ id: string; facts: ReadFacts }>(sql`
        select id, facts from product_facts
        where organisation_id = ${this.#organisationId} and id = any(${ids})`)
      return rows.map(({ id, facts }) => [id, factsOf(facts)])
    })
  }

  /** The localities of the tested card that the places of a page are in. */
  async #placesOf(reader: MomentReader, page: Columns): Promise<Places> {
    if (this.#localities.length === 0) return new Map()
    return this.#known([page.origins, page.destinations], this.#places, async ids => {
      const rows = await reader.rows<{ id: string; facts: Place }>(sql`
        select id, facts from place_facts
        where organisation_id = ${this.#organisationId} and id = any(${ids})`)
      return rows.map(({ id, facts }) => [id, localitiesOf(facts, this.#localities)])
    })
  }

  /**
   * The consignments of a page, in its order. Each is made when it is asked for: so it lives shortly, which
   * costs much less than keeping a page of them.
   */
  async decode(reader: MomentReader, page: Columns): Promise<DecodedPage> {
    const places = await this.#placesOf(reader, page)
    const products = await this.#productsOf(reader, page)
    const versionIds = new Set(textItems(page.version_ids ?? null))
    versionIds.delete('NULL')
    return {
      versionIds: [...versionIds].map(ownText),
      consignments: () => this.#consignments(page, places, products),
    }
  }

  *#consignments(
    page: Columns,
    places: Places,
    products: ReadonlyMap<string, ProductFacts>,
  ): Generator<TestedConsignment, void, undefined> {
    const text = columnsOf(page, textColumns, textItems)
    const number = columnsOf(page, numberColumns, wholeItems) as Numbers
    const id = (column: string[], n: number) => this.#id(column[n] as string)
    const list = (column: string[], n: number) => this.#list(column[n] as string)
    const rows = rowsOf(page, text.ids.length)
    const partAt = this.#partsOf(page, products)
    for (let n = 0; n < text.ids.length; n++) {
      const carrierId = id(text.carrier_ids, n)
      const shared = this.#header({
        consignmentType: number.types[n] as ConsignmentType,
        serviceTypeIds: list(text.service_types, n),
        carrierId,
        warehouseId: id(text.warehouse_ids, n),
        priority: number.priorities[n] as number,
        isContainerised: number.are_containerised[n] === 1,
        containerSize: number.container_sizes[n] ?? null,
        containerType: number.container_types[n] ?? null,
        originLocalityIds: list(text.origin_localities, n),
        destinationLocalityIds: list(text.destination_localities, n),
        weekday: weekdayOf(number.days[n] as number),
      })
      const [origin, destination] = [text.origins[n] as string, text.destinations[n] as string]
      yield {
        id: text.ids[n] as string,
        closingNumber: number.closing_numbers[n] as number,
        partnerId: id(text.partner_ids, n) as string,
        carrierId,
        month: (text.dates[n] as string).slice(0, 7),
        instant: number.instants[n] as number,
        versionId: id(text.version_ids, n),
        faf: number.fafs[n] as Whole,
        freightResolution: number.freight_resolutions[n] as 0 | 1 | 2,
        header: shared,
        testedHeader: this.#tested(shared, places.get(origin), places.get(destination)),
        parts: rows.parts.of(n, partAt),
        offer: undefined,
        ...rows.of(n),
      }
    }
  }

  /** The header with the localities that the tested card names and its ends are in. */
  #tested(
    shared: SharedHeader,
    origin: readonly string[] | undefined,
    destination: readonly string[] | undefined,
  ): SharedHeader {
    const { header } = shared
    const originLocalityIds = together(header.originLocalityIds, origin)
    const destinationLocalityIds = together(header.destinationLocalityIds, destination)
    if (
      originLocalityIds === header.originLocalityIds &&
      destinationLocalityIds === header.destinationLocalityIds
    )
      return shared
    return this.#header({ ...header, originLocalityIds, destinationLocalityIds })
  }

  /** Makes the part of a row. */
  #partsOf(page: Columns, products: ReadonlyMap<string, ProductFacts>): (row: number) => ChargePart {
    const smalls = (name: string) => smallItems(page[name] ?? null)
    const [kinds, units, serials] = [smalls('part_kinds'), smalls('logistic_units'), smalls('serials')]
    const [ids, facts] = [textItems(page.part_ids ?? null), textItems(page.part_facts ?? null)]
    const wholes = (name: string) => wholeItems(page[name] ?? null)
    const [quantities, weights, volumes] = [wholes('quantities'), wholes('weights'), wholes('volumes')]
    const told = new Map<number, PartText>()
    for (const one of JSON.parse(page.part_texts ?? '[]') as PartText[]) told.set(one[0], one)
    const places = told.size === 0 ? [] : smalls('part_places')
    return row => {
      const kind = kinds[row] as ChargePart['kind']
      const id = this.#id(ids[row] as string)
      const quantity = quantities[row] as Whole
      if (kind !== ChargePartKind.Line) return { kind, typeId: id as string, quantity }
      const texts = told.size === 0 ? undefined : told.get(places[row] as number)
      return {
        kind,
        productId: id,
        facts: products.get(facts[row] as string) ?? null,
        attributes: texts?.[1] ?? noAttributes,
        packageTypeCode: texts?.[2] ?? null,
        quantity,
        weight: weights[row] as Whole | null,
        volume: volumes[row] as Whole | null,
        logisticUnits: units[row] as number,
        serials: serials[row] as number,
      }
    }
  }
}

/** A page, decoded. */
export interface DecodedPage {
  /** the versions that its consignments were billed by */
  versionIds: readonly string[]
  /** can be gone through once */
  consignments(): Generator<TestedConsignment, void, undefined>
}

/** What of the rows of a page belongs to each consignment. */
function rowsOf(page: Columns, count: number) {
  const parts = new PlacedRows(smallItems(page.part_places ?? null), count)
  const billed = new PlacedRows(smallItems(page.billed_places ?? null), count)
  const amounts = wholeItems(page.billed_amounts ?? null)
  const amountAt = (row: number) => amounts[row] as Whole
  const byNumber = <T extends { n: number }>(text: string | null | undefined) =>
    text === null || text === undefined ? undefined : Map.groupBy(JSON.parse(text) as T[], ({ n }) => n)
  const leftOut = byNumber<LeftOut>(page.left_out)
  const adjusted = byNumber<Adjusted>(page.adjusted)
  return {
    parts,
    of: (n: number) => ({
      billed: billed.of(n, amountAt),
      leftOut: leftOut?.get(n) ?? nothing,
      adjusted: adjusted?.get(n) ?? nothing,
    }),
  }
}
const nothing: readonly never[] = []

type Places = ReadonlyMap<string, readonly string[]>

const none: readonly string[] = []
const textColumns = [
  ...(['ids', 'dates', 'partner_ids', 'version_ids', 'carrier_ids', 'warehouse_ids'] as const),
  ...(['service_types', 'origins', 'destinations'] as const),
  ...(['origin_localities', 'destination_localities'] as const),
]
const numberColumns = [
  ...(['closing_numbers', 'days', 'instants', 'fafs', 'freight_resolutions', 'types'] as const),
  ...(['priorities', 'are_containerised', 'container_sizes', 'container_types'] as const),
]
// None of them is beyond what a double holds exactly.
type Numbers = Record<(typeof numberColumns)[number], (number | null)[]>

const columnsOf = <Name extends string, Item>(
  page: Columns,
  names: readonly Name[],
  items: (column: string | null) => Item[],
) => Object.fromEntries(names.map(name => [name, items(page[name] ?? null)])) as Record<Name, Item[]>

const noAttributes: LinePart['attributes'] = []

/** 1 Monday to 7 Sunday, of days since 1 January 2000, which was a Saturday. */
const weekdayOf = (days: number): number => ((((days + 5) % 7) + 7) % 7) + 1

/** The ids of both, each once. */
const together = (known: readonly string[], found: readonly string[] = none): readonly string[] => {
  if (found.length === 0) return known
  const more = found.filter(id => !known.includes(id))
  return more.length === 0 ? known : [...known, ...more]
}
