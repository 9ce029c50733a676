// The facts that many consignments and parts share. Equal texts in the columns stand for equal facts, so each
// text is decoded once.

import { ChargePartKind } from '../../vocabulary/billing.ts'
import type { ConsignmentType } from '../../vocabulary/consignments.ts'
import { describedPartOf } from '../charges/closing-texts.ts'
import { TextNumbers, textItems } from '../evaluator/array-columns.ts'
import type { ChargeHeader, LinePart, ProductFacts, ValuePart } from '../evaluator/charge-input.ts'
import type { CompiledCard } from '../evaluator/compiled-card.ts'
import { type ExactInteger, wholeOf } from '../evaluator/exact.ts'
import type { ChargedSide, MatchedCard } from '../evaluator/match-card.ts'
import { findMatchedCard } from '../evaluator/matched-cards.ts'

/** A header that many consignments share, with the cards that have been matched with it. */
export class SharedHeader {
  readonly header: ChargeHeader
  readonly #matched = new Map<CompiledCard, MatchedCard>()

  constructor(header: ChargeHeader) {
    this.header = header
  }

  /** Matches a card with the header, once for each card. */
  matched(card: CompiledCard, side: ChargedSide): MatchedCard {
    let found = this.#matched.get(card)
    if (found === undefined) {
      found = findMatchedCard(card, side, this.header)
      this.#matched.set(card, found)
    }
    return found
  }
}

/** The terms that many consignments share: their partner, and how they were billed. */
export interface SharedTerms {
  partnerId: string
  /** the version that they were billed by; null if no card was in force */
  versionId: string | null
  /** in millionths */
  faf: ExactInteger
  freightResolution: 0 | 1 | 2
  /** the number of the rules that they were billed by */
  evaluatorVersion: number
}

/** A line of goods without its figures. */
interface LineSubject {
  kind: typeof ChargePartKind.Line
  productId: string | null
  /** the id of the product's frozen facts; the facts are null until they are read */
  factsId: string | null
  facts: ProductFacts | null
  attributes: LinePart['attributes']
  packageTypeCode: string | null
}

/** A part without its figures. */
export type PartSubject = LineSubject | { kind: ValuePart['kind']; typeId: string }

/** The objects that the texts of columns stand for; equal texts share one object. */
class Interned<Shared> {
  readonly #texts = new TextNumbers()
  readonly #objects: Shared[] = []
  readonly #make: (text: string) => Shared

  constructor(make: (text: string) => Shared) {
    this.#make = make
  }

  get size(): number {
    return this.#objects.length
  }

  /** Reads a column, and returns the number of the object of each item. */
  numbersOf(column: string | null | undefined): Int32Array {
    const numbers = this.#texts.numbersOf(column ?? null)
    for (let number = this.#objects.length; number < this.#texts.size; number++)
      this.#objects.push(this.#make(this.#texts.text(number)))
    return numbers
  }

  at(number: number): Shared {
    return this.#objects[number] as Shared
  }
}

/** A cache of the facts that consignments and parts share. */
export class SharedFacts {
  readonly headers = new Interned(text => this.#header(text))
  readonly terms = new Interned(text => this.#terms(text))
  readonly subjects = new Interned(text => this.#subject(text))
  /** the ids of origin and destination places; empty if unknown */
  readonly routes = new Interned(text => text.split(' ') as [origin: string, destination: string])
  /** headers with localities of the tested card added, by the number of the header and those localities */
  readonly testedHeaders = new Map<string, SharedHeader>()
  readonly facts = new Map<string, ProductFacts>()
  /** the localities of the tested card that a place is in */
  readonly places = new Map<string, readonly string[]>()
  readonly #ids = new Map<string, string>()

  /** The shared string of an id; null if it is empty. Maps find it faster than an equal copy. */
  id(text: string): string | null {
    if (text === '') return null
    const known = this.#ids.get(text)
    if (known === undefined) this.#ids.set(text, text)
    return known ?? text
  }

  /** The shared strings of an array of ids. */
  ids(text: string): readonly string[] {
    return text === '{}' ? emptyList : textItems(text).map(id => this.id(id) as string)
  }

  /** The number of cached facts. */
  get size(): number {
    const { headers, terms, subjects, routes, testedHeaders } = this
    return headers.size + terms.size + subjects.size + routes.size + testedHeaders.size
  }

  #header(text: string): SharedHeader {
    const [type, carrier, warehouse, priority, isContainerised, size, container, services, ...ends] =
      text.split(' ') as [string, string, string, string, string, string, string, string, ...string[]]
    const [origins, destinations, weekday] = ends as [string, string, string]
    return new SharedHeader({
      consignmentType: Number(type) as ConsignmentType,
      carrierId: this.id(carrier),
      warehouseId: this.id(warehouse),
      priority: Number(priority),
      isContainerised: isContainerised === 't',
      containerSize: numberOrNull(size),
      containerType: numberOrNull(container),
      serviceTypeIds: this.ids(services),
      originLocalityIds: this.ids(origins),
      destinationLocalityIds: this.ids(destinations),
      weekday: Number(weekday),
    })
  }

  #terms(text: string): SharedTerms {
    const [partner, version, faf, resolution, evaluator] = text.split(' ') as [
      string,
      string,
      string,
      string,
      string,
    ]
    return {
      partnerId: this.id(partner) as string,
      versionId: this.id(version),
      faf: wholeOf(6, faf),
      freightResolution: Number(resolution) as 0 | 1 | 2,
      evaluatorVersion: Number(evaluator),
    }
  }

  #subject(text: string): PartSubject {
    const { kind, id, factsId, attributes, packageTypeCode } = describedPartOf(text)
    if (kind === ChargePartKind.Line)
      return {
        ...{ kind, productId: this.id(id), factsId: this.id(factsId), facts: null },
        ...{ attributes, packageTypeCode },
      }
    return { kind: kind as ValuePart['kind'], typeId: this.id(id) as string }
  }
}

const emptyList: readonly never[] = []

const numberOrNull = (text: string): number | null => (text === '' ? null : Number(text))
