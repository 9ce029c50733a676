// An in-memory model of stock: rows with their allocations, units, holds and consignments. It implements the
// rules without a database, so that the service can be compared with it.

/** The products of the model, with their serial tracking. */
export const products = {
  APPLE: { tracking: 'none', mustMatchBatch: false },
  PEAR: { tracking: 'none', mustMatchBatch: true },
  SCALE: { tracking: 'full', mustMatchBatch: false },
  RADIO: { tracking: 'release', mustMatchBatch: false },
} as const
export type Product = keyof typeof products

/** The locations of the model: the type as in the API, and the walking order. */
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

/** The identity of a stock row. */
export interface Identity {
  product: Product
  location: Location
  /** the reference of the logistic unit */
  unit: string | null
  /** the index of the hold, in the order of creation */
  hold: number | null
  batch: string | null
}

export interface Allocation {
  line: Line
  serial: string | null
  isPicked: boolean
  quantity: number
}

export interface Row extends Identity {
  id: string | null
  onHand: number
  serials: Set<string>
  /** in the order of creation */
  allocations: Allocation[]
  /** what came and left, with the model's clock; `isStaying`: to or from another row in the same location */
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
  /** the rows that its goods were picked from, with the quantities that were not put back into them */
  sources: Map<Row, number>
}

/** Goods that were dispatched with a consignment. */
export interface DepartedGoods {
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
  /** the consignment whose goods this one returns */
  returnOf: Consignment | null
  /** whether goods were ever received for it */
  wasReceived: boolean
  /** whether anybody ever confirmed a pick of it, or took one back */
  isPickingConfirmed: boolean
  /** what was received and not unreceived, by row */
  receivedByRow: Map<Row, number>
  departed: DepartedGoods[]
}

/** A line of a stock count. Statuses are those of the API. */
export interface CountLine {
  id: string
  row: Row
  status: number
  round: number
  isOpen: boolean
  /** the last entry of this round, and its time */
  lastEntry: { at: number; quantity: number; serials: string[] | null } | null
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
export const allocatedOf = (row: Row) => sumOf(row.allocations)
export const freeOf = (row: Row) => row.onHand - allocatedOf(row)

export class StockModel {
  readonly rows = new Map<string, Row>()
  /** the location of each unit */
  readonly units = new Map<string, Location>()
  readonly holds: { isReleased: boolean }[] = []
  readonly consignments: Consignment[] = []
  readonly counts: Count[] = []
  /** advances with every step */
  clock = 1
  /** changes of description: the row that goods were in, and the row that they are in since */
  readonly redescriptions: { from: Row; to: Row; at: number }[] = []
  /** for dispatched serials, the line that they left with, by product and serial */
  readonly departedSerials = new Map<string, Line>()
  /** the units whose goods all left with a consignment */
  readonly departedUnits = new Set<string>()
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
    const made: Row = { ...identity, id: null, onHand: 0, serials: new Set(), allocations: [], history: [] }
    this.rows.set(keyOf(identity), made)
    return made
  }

  makeHold(): number {
    return this.holds.push({ isReleased: false }) - 1
  }

  /** Moves goods from one row to another, in or out; by default now. */
  move(
    from: Row | null,
    to: Row | null,
    quantity: number,
    serials: Iterable<string> = [],
    at = this.clock,
    isStaying = false,
  ): void {
    const moved = [...serials]
    for (const row of [from, to]) this.departedUnits.delete(row?.unit ?? '')
    if (from) {
      from.onHand -= quantity
      for (const serial of moved) from.serials.delete(serial)
      from.history.push({ at, quantity: -quantity, serials: moved, isStaying })
    }
    if (to) {
      to.onHand += quantity
      for (const serial of moved) {
        to.serials.add(serial)
        this.departedSerials.delete(`${to.product} ${serial}`)
      }
      to.history.push({ at, quantity, serials: moved, isStaying })
    }
    const hold = from?.hold ?? null
    if (hold !== null && this.inHold(hold).length === 0)
      (this.holds[hold] as { isReleased: boolean }).isReleased = true
  }

  /** Moves goods to another row in the same location, as a hold or a new description does. */
  moveInPlace(from: Row, to: Row, quantity: number, serials: Iterable<string>): void {
    this.move(from, to, quantity, serials, this.clock, true)
  }

  /** Returns the quantity of a row at a time, as far as is known now. */
  onHandAt = (row: Row, at: number) => sumOf(row.history.filter(part => part.at <= at))
  serialsAt(row: Row, at: number): string[] {
    const counts = new Map<string, number>()
    for (const part of row.history)
      if (part.at <= at)
        for (const serial of part.serials)
          counts.set(serial, (counts.get(serial) ?? 0) + Math.sign(part.quantity))
    return [...counts].flatMap(([serial, n]) => (n > 0 ? [serial] : []))
  }
  /** Returns whether a serial has moved, left or come in since; a hold or new description does not count. */
  hasMovedSince = (product: Product, serial: string, at: number) =>
    [...this.rows.values()].some(
      row =>
        row.product === product &&
        row.history.some(part => part.at > at && !part.isStaying && part.serials.includes(serial)),
    )

  /** Allocates more of a row, or less. */
  changeAllocation(row: Row, { line, serial, isPicked, quantity }: Allocation): void {
    const known = row.allocations.find(
      allocation =>
        allocation.line === line && allocation.serial === serial && allocation.isPicked === isPicked,
    )
    if (known) known.quantity += quantity
    else row.allocations.push({ line, serial, isPicked, quantity })
    row.allocations = row.allocations.filter(allocation => allocation.quantity !== 0)
  }

  /** Moves allocations along with their goods. */
  moveAllocations(from: Row, to: Row, allocations: readonly Allocation[]): void {
    for (const allocation of allocations.map(allocation => ({ ...allocation }))) {
      this.changeAllocation(from, { ...allocation, quantity: -allocation.quantity })
      this.changeAllocation(to, allocation)
    }
  }

  allocationsTo(line: Line, isPicked: boolean): { row: Row; allocation: Allocation }[] {
    return this.live.flatMap(row =>
      row.allocations
        .filter(allocation => allocation.line === line && allocation.isPicked === isPicked)
        .map(allocation => ({ row, allocation })),
    )
  }
  openOf = (line: Line) => sumOf(this.allocationsTo(line, false).map(({ allocation }) => allocation))
  pickedOf = (line: Line) => sumOf(this.allocationsTo(line, true).map(({ allocation }) => allocation))
  shortageOf = (line: Line) =>
    Math.max(0, line.expected - this.openOf(line) - this.pickedOf(line) - line.dispatched)

  /**
   * Allocates stock by the rules. All stock was received on one day, so only preferences, whole units and
   * locations matter.
   */
  allocate(wanted: readonly { line: Line; quantity: number }[]): void {
    const requiresBatch = ({ batch, product }: Line) => batch !== null && products[product].mustMatchBatch
    const left = new Map(this.live.map(row => [row, isAvailable(row) ? freeOf(row) : 0]))
    const whole = new Set(
      this.live.filter(
        row => row.unit !== null && allocatedOf(row) === 0 && this.onUnit(row.unit).length === 1,
      ),
    )
    const inOrder = wanted.toSorted(
      (a, b) =>
        Number(requiresBatch(b.line)) - Number(requiresBatch(a.line)) ||
        a.line.consignment.number - b.line.consignment.number ||
        a.line.ordinal - b.line.ordinal,
    )
    for (const { line, quantity } of inOrder) {
      let remaining = quantity
      const take = (row: Row) => {
        const part = Math.min(remaining, left.get(row) ?? 0)
        if (part <= 0) return
        left.set(row, (left.get(row) ?? 0) - part)
        remaining -= part
        this.changeAllocation(row, { line, serial: null, isPicked: false, quantity: part })
      }
      const batch = line.batch?.toLowerCase()
      const rows = [...left.keys()].filter(
        row => row.product === line.product && (!requiresBatch(line) || row.batch?.toLowerCase() === batch),
      )
      const meets = (row: Row) => batch !== undefined && row.batch?.toLowerCase() === batch
      for (const group of [rows.filter(meets), rows.filter(row => !meets(row))]) {
        const sorted = group.filter(row => (left.get(row) ?? 0) > 0).toSorted(byPlace(left))
        for (const row of sorted)
          if (whole.has(row) && left.get(row) === row.onHand && row.onHand <= remaining) take(row)
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

/** The part that is taken from a row: the quantity, the serials, and the allocations that move along. */
export interface TakenPart {
  quantity: number
  serials: string[]
  allocations: Allocation[]
}

/** Returns the part that an entry takes from a row; null if it is refused. */
export function take(
  row: Row,
  part: { quantity?: number | undefined; serials?: string[] | undefined },
  all: 'everything' | 'free',
  allocations: readonly Allocation[] = row.allocations,
): TakenPart | null {
  const { serials = [] } = part
  const allocated = sumOf(allocations)
  const quantity = part.quantity ?? row.onHand - (all === 'everything' ? 0 : allocated)
  const isWhole = quantity === row.onHand && (all === 'everything' || allocated === 0)
  if (quantity === 0 || (!isWhole && quantity > row.onHand - allocated)) return null
  const { tracking } = products[row.product]
  const mayOmitSerials = isWhole || (all === 'free' && part.quantity === undefined)
  if (tracking !== 'full' && serials.length > 0) return null
  if (tracking === 'full' && serials.length !== quantity && !(serials.length === 0 && mayOmitSerials))
    return null
  const isAllocated = (serial: string) =>
    !isWhole && allocations.some(allocation => allocation.serial === serial)
  if (serials.some(serial => !row.serials.has(serial) || isAllocated(serial))) return null
  if (new Set(serials).size < serials.length) return null
  return {
    quantity,
    serials: isWhole ? [...row.serials] : serials,
    allocations: isWhole ? [...allocations] : [],
  }
}
