// What stock should be, in maps: rows with what is promised of them, units, holds, consignments. It knows the
// rules and no database, so that what the service does can be held against it.

/** A product of the model, with how its serials are kept. */
export const products = {
  APPLE: { tracking: 'none', mustMatchBatch: false },
  PEAR: { tracking: 'none', mustMatchBatch: true },
  SCALE: { tracking: 'full', mustMatchBatch: false },
  RADIO: { tracking: 'release', mustMatchBatch: false },
} as const
export type Product = keyof typeof products

/** A location: its type as the API numbers it, and when people who walk come by. */
export const locations = {
  'A-01': { type: 1, walkingOrder: 1 },
  'A-02': { type: 1, walkingOrder: 2 },
  'B-01': { type: 2, walkingOrder: null },
  'Q-01': { type: 3, walkingOrder: null },
  RECEIVE: { type: 4, walkingOrder: null },
  DISPATCH: { type: 4, walkingOrder: null },
} as const
export type Location = keyof typeof locations
export const isQuarantine = (location: Location) => locations[location].type === 3

/** What a row of stock is. */
export interface Identity {
  product: Product
  location: Location
  /** the reference of the logistic unit */
  unit: string | null
  /** the number of the hold, in the order in which they were made */
  hold: number | null
  batch: string | null
}

export interface Promised {
  line: Line
  serial: string | null
  isPicked: boolean
  quantity: number
}

export interface Row extends Identity {
  id: string | null
  onHand: number
  serials: Set<string>
  /** in the order in which they were made */
  promises: Promised[]
  /** what came and left, and when by the clock of the model; `isStaying`: to or from another row of the place */
  history: { at: number; quantity: number; serials: readonly string[]; isStaying: boolean }[]
}

export interface Line {
  id: string
  consignment: Consignment
  ordinal: number
  product: Product
  batch: string | null
  expected: number
  received: number
  dispatched: number
  /** where its goods were picked from last; 'unknown' where they came from several places at once */
  origin: { location: Location; unit: string | null } | 'unknown' | null
}

/** Goods that left with a consignment. */
export interface Departed {
  line: Line
  from: Identity
  quantity: number
  serials: string[]
}

export interface Consignment {
  id: string
  number: number
  type: 'inwards' | 'outwards'
  status: number
  lines: Line[]
  /** the consignment whose goods come back with this one */
  returnOf: Consignment | null
  /** goods were received for it at some time */
  wasReceived: boolean
  /** by row, what it brought and was not taken back */
  brought: Map<Row, number>
  departed: Departed[]
}

/** A row in a count. Statuses are those of the API, of counts too. */
export interface CountLine {
  id: string
  row: Row
  status: number
  round: number
  isOpen: boolean
  /** what was seen last in this round, and when */
  seen: { at: number; quantity: number; serials: string[] | null } | null
}

export interface Count {
  id: string
  status: number
  madeAt: number
  lines: CountLine[]
}

export const keyOf = ({ product, location, unit, hold, batch }: Identity) =>
  [product, location, unit ?? '-', hold ?? '-', batch ?? '-'].join(' ')
export const sumOf = (parts: readonly { quantity: number }[]) =>
  parts.reduce((sum, { quantity }) => sum + quantity, 0)
export const promisedOf = (row: Row) => sumOf(row.promises)
export const freeOf = (row: Row) => row.onHand - promisedOf(row)

export class StockModel {
  readonly rows = new Map<string, Row>()
  /** where each unit stands */
  readonly units = new Map<string, Location>()
  readonly holds: { isReleased: boolean }[] = []
  readonly consignments: Consignment[] = []
  readonly counts: Count[] = []
  /** goes on with every step */
  clock = 1
  /** goods that were described otherwise: by the row that they were in, the one that they are in since */
  readonly edits: { from: Row; to: Row; at: number }[] = []
  /** the line that a serial left with, by product and serial, for those that are not in stock */
  readonly away = new Map<string, Line>()
  #serials = 0

  get live(): Row[] {
    return [...this.rows.values()].filter(({ onHand }) => onHand > 0)
  }
  get lines(): Line[] {
    return this.consignments.flatMap(({ lines }) => lines)
  }
  onUnit = (unit: string) => this.live.filter(row => row.unit === unit)
  inHold = (hold: number) => this.live.filter(row => row.hold === hold)
  freshSerials = (n: number) => Array.from({ length: n }, () => `S${++this.#serials}`)
  rowOfSerial = (product: Product, serial: string) =>
    this.live.find(row => row.product === product && row.serials.has(serial))

  row({ product, location, unit, hold, batch }: Identity): Row {
    const identity = { product, location, unit, hold, batch }
    const known = this.rows.get(keyOf(identity))
    if (known) return known
    const made: Row = { ...identity, id: null, onHand: 0, serials: new Set(), promises: [], history: [] }
    this.rows.set(keyOf(identity), made)
    return made
  }

  makeHold(): number {
    return this.holds.push({ isReleased: false }) - 1
  }

  /** Takes goods from one row to another, or in or out; now, unless it happened earlier. */
  move(
    from: Row | null,
    to: Row | null,
    quantity: number,
    serials: Iterable<string> = [],
    at = this.clock,
    isStaying = false,
  ): void {
    const moved = [...serials]
    if (from) {
      from.onHand -= quantity
      for (const serial of moved) from.serials.delete(serial)
      from.history.push({ at, quantity: -quantity, serials: moved, isStaying })
    }
    if (to) {
      to.onHand += quantity
      for (const serial of moved) {
        to.serials.add(serial)
        this.away.delete(`${to.product} ${serial}`)
      }
      to.history.push({ at, quantity, serials: moved, isStaying })
    }
  }

  /** Goods that stay where they lie are held, or described otherwise. */
  keep(from: Row, to: Row, quantity: number, serials: Iterable<string>): void {
    this.move(from, to, quantity, serials, this.clock, true)
  }

  /** What was in a row, as far as it is known by now. */
  onHandAt = (row: Row, at: number) => sumOf(row.history.filter(part => part.at <= at))
  serialsAt(row: Row, at: number): string[] {
    const counts = new Map<string, number>()
    for (const part of row.history)
      if (part.at <= at)
        for (const serial of part.serials)
          counts.set(serial, (counts.get(serial) ?? 0) + Math.sign(part.quantity))
    return [...counts].flatMap(([serial, n]) => (n > 0 ? [serial] : []))
  }
  /** Whether it was elsewhere, left or came since; not that it is held or described otherwise there. */
  hasMovedSince = (product: Product, serial: string, at: number) =>
    [...this.rows.values()].some(
      row =>
        row.product === product &&
        row.history.some(part => part.at > at && !part.isStaying && part.serials.includes(serial)),
    )

  /** Promises more of a row, or less. */
  promise(row: Row, { line, serial, isPicked, quantity }: Promised): void {
    const known = row.promises.find(
      one => one.line === line && one.serial === serial && one.isPicked === isPicked,
    )
    if (known) known.quantity += quantity
    else row.promises.push({ line, serial, isPicked, quantity })
    row.promises = row.promises.filter(one => one.quantity !== 0)
  }

  /** Promises go along with their goods. */
  takeAlong(from: Row, to: Row, promises: readonly Promised[]): void {
    for (const one of promises.map(promise => ({ ...promise }))) {
      this.promise(from, { ...one, quantity: -one.quantity })
      this.promise(to, one)
    }
  }

  promisesTo(line: Line, isPicked: boolean): { row: Row; promise: Promised }[] {
    return this.live.flatMap(row =>
      row.promises
        .filter(promise => promise.line === line && promise.isPicked === isPicked)
        .map(promise => ({ row, promise })),
    )
  }
  openOf = (line: Line) => sumOf(this.promisesTo(line, false).map(({ promise }) => promise))
  pickedOf = (line: Line) => sumOf(this.promisesTo(line, true).map(({ promise }) => promise))
  shortOf = (line: Line) =>
    Math.max(0, line.expected - this.openOf(line) - this.pickedOf(line) - line.dispatched)

  /** Allocates by the rules: all of it was received on one day, so only wishes, pallets and places count. */
  allocate(wanted: readonly { line: Line; quantity: number }[]): void {
    const isBound = ({ batch, product }: Line) => batch !== null && products[product].mustMatchBatch
    const left = new Map(this.live.map(row => [row, isAvailable(row) ? freeOf(row) : 0]))
    const whole = new Set(
      this.live.filter(
        row => row.unit !== null && promisedOf(row) === 0 && this.onUnit(row.unit).length === 1,
      ),
    )
    const inOrder = wanted.toSorted(
      (a, b) =>
        Number(isBound(b.line)) - Number(isBound(a.line)) ||
        a.line.consignment.number - b.line.consignment.number ||
        a.line.ordinal - b.line.ordinal,
    )
    for (const { line, quantity } of inOrder) {
      let rest = quantity
      const take = (row: Row) => {
        const part = Math.min(rest, left.get(row) ?? 0)
        if (part <= 0) return
        left.set(row, (left.get(row) ?? 0) - part)
        rest -= part
        this.promise(row, { line, serial: null, isPicked: false, quantity: part })
      }
      const asked = line.batch?.toLowerCase()
      const rows = [...left.keys()].filter(
        row => row.product === line.product && (!isBound(line) || row.batch?.toLowerCase() === asked),
      )
      const meets = (row: Row) => asked !== undefined && row.batch?.toLowerCase() === asked
      for (const group of [rows.filter(meets), rows.filter(row => !meets(row))]) {
        const sorted = group.filter(row => (left.get(row) ?? 0) > 0).toSorted(byPlace(left))
        for (const row of sorted)
          if (whole.has(row) && left.get(row) === row.onHand && row.onHand <= rest) take(row)
        for (const row of sorted) take(row)
      }
    }
  }
}

const isAvailable = (row: Row) => row.hold === null && !isQuarantine(row.location)

const byPlace = (left: ReadonlyMap<Row, number>) => (a: Row, b: Row) => {
  const rank = ({ location }: Row) => Math.min(locations[location].type, 3)
  const walk = ({ location }: Row) => locations[location].walkingOrder ?? 1_000
  return (
    rank(a) - rank(b) ||
    (left.get(a) ?? 0) - (left.get(b) ?? 0) ||
    walk(a) - walk(b) ||
    ((a.id ?? '') < (b.id ?? '') ? -1 : 1)
  )
}

/** What is taken out of a row: how much, which serials, and the promises that go along. */
export interface Taken {
  quantity: number
  serials: string[]
  promises: Promised[]
}

/** What an entry gets of a row; null where it is refused. */
export function take(
  row: Row,
  part: { quantity?: number | undefined; serials?: string[] | undefined },
  all: 'everything' | 'free',
  promises: readonly Promised[] = row.promises,
): Taken | null {
  const { serials = [] } = part
  const promised = sumOf(promises)
  const quantity = part.quantity ?? row.onHand - (all === 'everything' ? 0 : promised)
  const isWhole = quantity === row.onHand && (all === 'everything' || promised === 0)
  if (quantity === 0 || (!isWhole && quantity > row.onHand - promised)) return null
  const { tracking } = products[row.product]
  const mayLack = isWhole || (all === 'free' && part.quantity === undefined)
  if (tracking !== 'full' && serials.length > 0) return null
  if (tracking === 'full' && serials.length !== quantity && !(serials.length === 0 && mayLack)) return null
  const isPromised = (serial: string) => !isWhole && promises.some(one => one.serial === serial)
  if (serials.some(serial => !row.serials.has(serial) || isPromised(serial))) return null
  if (new Set(serials).size < serials.length) return null
  return {
    quantity,
    serials: isWhole ? [...row.serials] : serials,
    promises: isWhole ? [...promises] : [],
  }
}
