// The notebook of a world: what a person who stood beside every deed would have written down.

import { BackTests } from './back-tests.ts'
import { Books } from './books.ts'
import { Counts } from './counts.ts'
import type { ExtraType } from './extras.ts'
import { Floor } from './floor.ts'
import type { Place, Product, Unit, Zone } from './goods.ts'
import type { PriceList } from './money.ts'
import { Notes } from './notes.ts'
import type { Consignment, Line } from './orders.ts'
import { Pickfaces } from './pickfaces.ts'
import { Prints } from './prints.ts'
import { Runs } from './runs.ts'
import { Tracking } from './tracking.ts'

export const zone = 'Pacific/Auckland'
const days = new Intl.DateTimeFormat('sv', { timeZone: zone })

export class Notebook {
  readonly floor = new Floor()
  readonly books = new Books()
  readonly backTests = new BackTests()
  readonly counts = new Counts(this.floor)
  readonly pickfaces = new Pickfaces(this.floor)
  readonly runs = new Runs(this)
  readonly consignments: Consignment[] = []
  readonly products: Product[] = []
  readonly places: Place[] = []
  /** what can be done for consignments besides, and used for them */
  readonly extraTypes: ExtraType[] = []
  readonly zones: Zone[] = []
  readonly notes = new Notes()
  readonly prints = new Prints()
  readonly tracking = new Tracking()
  /** in the order in which they were agreed */
  readonly priceLists: PriceList[] = []
  /** what the carrier is paid by */
  readonly carrierLists: PriceList[] = []
  /** where goods go, and where they leave from, unless somebody says otherwise */
  readonly receiving: Place
  readonly dock: Place
  /** the tag of the deed that is being done, and how many names it gave out */
  #tag = ''
  #names = 0
  /** the consignments of each chain of deeds, and those of the chain at hand */
  readonly #chains = new Map<string, Set<Consignment>>()
  #chain = new Set<Consignment>()

  constructor(facts: {
    products: Product[]
    places: Place[]
    extraTypes: ExtraType[]
    priceLists: PriceList[]
  }) {
    this.products.push(...facts.products)
    this.extraTypes.push(...facts.extraTypes)
    this.places.push(...facts.places)
    this.priceLists.push(...facts.priceLists)
    this.receiving = this.place('RECEIVE')
    this.dock = this.place('DISPATCH')
  }

  place(name: string): Place {
    const found = this.places.find(place => place.name === name)
    if (found === undefined) throw new Error(`There is no place ${name}.`)
    return found
  }

  /** The warehouse's day at an instant, YYYY-MM-DD. */
  dayAt(instant: number): string {
    return days.format(instant)
  }

  /**
   * Begins a deed, which may belong to a chain of them. What it makes is named by its tag, and so does not
   * depend on other deeds.
   */
  beginDeed(tag: string, chain: string | null): void {
    this.#chain = (chain !== null && this.#chains.get(chain)) || new Set()
    if (chain !== null) this.#chains.set(chain, this.#chain)
    this.#tag = tag
    this.floor.tag = tag
    this.#names = 0
  }

  /** What the person who does everything is called. */
  get person(): string {
    return this.floor.person
  }

  get tag(): string {
    return this.#tag
  }

  /** A name that nothing else has. */
  newName(prefix: string): string {
    return `${prefix}-${this.#tag}-${++this.#names}`
  }

  /** A number of at most ten digits that nothing else has. */
  newNumber(): string {
    return `${this.#tag}${String(++this.#names).padStart(2, '0')}`
  }

  /** The pallet of a name, which exists from the moment that goods come on it. */
  unitNamed(name: string, isSscc: boolean, place: Place): Unit {
    const unit = this.floor.units.get(name) ?? { id: null, number: null, name, isSscc, place, leftWith: null }
    this.floor.units.set(name, unit)
    return unit
  }

  get lines(): Line[] {
    return this.consignments.flatMap(({ lines }) => lines)
  }

  add(consignment: Consignment): void {
    this.consignments.push(consignment)
    this.#chain.add(consignment)
  }

  /** The consignments that a deed may be about: where there are some of its chain, only those. */
  atHand(type: Consignment['type'], statuses: readonly number[]): Consignment[] {
    const found = this.consignmentsOf(type, statuses)
    const own = found.filter(consignment => this.#chain.has(consignment))
    return own.length > 0 ? own : found
  }

  consignmentsOf(type: Consignment['type'], statuses: readonly number[]): Consignment[] {
    return this.consignments.filter(
      consignment => consignment.type === type && statuses.includes(consignment.status),
    )
  }
}
