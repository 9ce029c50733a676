// The runs of a carrier's vehicles: what each delivers, in the order of its stops.

/** What a stop needs to be put in order. */
interface Stop {
  carrierRunNumber: string | null
  carrierRunOrdinal: number | null
  consignmentNumber: string
}

/** A run with its stops. What is on no run has no number. */
export interface Run<Row> {
  number: string | null
  stops: readonly Row[]
}

const ordinalOf = ({ carrierRunOrdinal }: Stop) => carrierRunOrdinal ?? Number.POSITIVE_INFINITY

/** Stops in the order of their run; those without a place come last, by their numbers. */
function inOrder(a: Stop, b: Stop): number {
  const [first, second] = [ordinalOf(a), ordinalOf(b)]
  if (first !== second) return first < second ? -1 : 1
  return a.consignmentNumber < b.consignmentNumber ? -1 : 1
}

/** The runs by their numbers, and what is on none after them. */
export function runsOf<Row extends Stop>(rows: readonly Row[]): readonly Run<Row>[] {
  const runs = Map.groupBy(rows, ({ carrierRunNumber }) => carrierRunNumber || null)
  return [...runs]
    .toSorted(([a], [b]) => (a === null ? 1 : b === null ? -1 : a < b ? -1 : 1))
    .map(([number, stops]) => ({ number, stops: stops.toSorted(inOrder) }))
}
