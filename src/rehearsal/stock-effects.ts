// What a rehearsed act does to stock, from the lines that it wrote in the ledger.

import { type Db, sql } from '../platform/database/db.ts'
import type { Effect } from '../platform/http/rehearsal.ts'
import { RotationMethod, StockDepletionMethod } from '../vocabulary/partners.ts'
import { MovementCause, TransactionType } from '../vocabulary/stock.ts'
import { type Note, notesAbout } from './notes.ts'
import { count, listOf } from './words.ts'

/** What happened in one location, by type: what came in, what went out, and what only was described anew. */
interface LocationChange {
  type: TransactionType
  /** picked goods that are put back */
  isPutBack: boolean
  locationName: string
  isHeld: boolean
  incoming: number
  outgoing: number
  redescribed: number
}

/** What was allocated, or what was released. */
interface AllocationTotal {
  isReserved: boolean
  quantity: number
  lineCount: number
  consignmentCount: number
  rotations: { method: RotationMethod; depletion: number }[]
}

/** The effects on allocations, then those on goods, by type. */
export async function stockEffects(
  db: Db,
  organisationId: string,
  notes: readonly Note[],
): Promise<Effect[]> {
  const ids = [...new Set(notesAbout(notes, 'movements').flatMap(({ movementIds }) => movementIds))]
  if (ids.length === 0) return []
  const [totals, changes] = await Promise.all([
    readAllocations(db, organisationId, ids),
    readChanges(db, organisationId, ids),
  ])
  const isByRules = notesAbout(notes, 'allocation').some(note => note.isByRules)
  return [
    ...totals.map(total => allocationEffect(total, isByRules)),
    ...Object.values(TransactionType).flatMap(type => goodsEffects(changes.filter(one => one.type === type))),
  ]
}

const readAllocations = (db: Db, organisationId: string, movementIds: readonly string[]) =>
  db.rows<AllocationTotal>(sql`
    select t.allocated_quantity > 0 as is_reserved, sum(abs(t.allocated_quantity)) as quantity,
      count(distinct t.consignment_product_id) as line_count,
      count(distinct t.consignment_id) as consignment_count,
      json_agg(distinct jsonb_build_object('method', coalesce(d.rotation_method, k.rotation_method),
        'depletion', coalesce(d.stock_depletion_method, k.stock_depletion_method))) as rotations
    from inventory_transaction t
    join warehouse_product s on s.organisation_id = t.organisation_id and s.id = t.warehouse_product_id
    join product d on d.organisation_id = s.organisation_id and d.id = s.product_id
    join partner k on k.organisation_id = s.organisation_id and k.id = s.partner_id
    where t.organisation_id = ${organisationId} and t.movement_id = any(${movementIds})
      and t.type = ${TransactionType.Allocation}
    group by 1 order by 1`)

/** Goods of a product that leave a location and enter it in one movement have not moved. */
const readChanges = (db: Db, organisationId: string, movementIds: readonly string[]) =>
  db.rows<LocationChange>(sql`
    with leg as (
      select t.type, t.cause = ${MovementCause.Unpicked} as is_put_back, s.warehouse_location_id,
        s.inventory_hold_id is not null as is_held, sum(greatest(t.quantity, 0)) as incoming,
        -sum(least(t.quantity, 0)) as outgoing
      from inventory_transaction t
      join warehouse_product s on s.organisation_id = t.organisation_id and s.id = t.warehouse_product_id
      where t.organisation_id = ${organisationId} and t.movement_id = any(${movementIds})
        and t.type <> ${TransactionType.Allocation}
      group by t.movement_id, s.product_id, t.type, is_put_back, s.warehouse_location_id, is_held
    )
    select g.type, g.is_put_back, l.name as location_name, g.is_held, sum(g.incoming) as incoming,
      sum(g.outgoing) as outgoing, sum(least(g.incoming, g.outgoing)) as redescribed
    from leg g join warehouse_location l on l.organisation_id = ${organisationId}
      and l.id = g.warehouse_location_id
    group by g.type, g.is_put_back, l.name, g.is_held
    order by l.name collate "C", g.is_held`)

const { ExpiryAscending, ProductionDateAscending, BestBeforeDateAscending } = RotationMethod
const { SellByDateAscending, PackagingDateAscending, ReceivedDateAscending, Batch, None } = RotationMethod

const rotationWords: Partial<Record<RotationMethod, string>> = {
  [ExpiryAscending]: 'earliest expiry first',
  [ProductionDateAscending]: 'earliest production first',
  [BestBeforeDateAscending]: 'earliest best-before date first',
  [SellByDateAscending]: 'earliest sell-by date first',
  [PackagingDateAscending]: 'earliest packaging first',
  [ReceivedDateAscending]: 'longest in store first',
  [Batch]: 'by batch',
}

/** The rule by which all of it was chosen, if it is one. */
function ruleOf(rotations: AllocationTotal['rotations']): string {
  const rules = new Set(
    rotations.map(({ method, depletion }) =>
      method === None
        ? depletion === StockDepletionMethod.LIFO
          ? 'last in first'
          : 'longest in store first'
        : (rotationWords[method] ?? null),
    ),
  )
  const [rule] = rules
  return rules.size === 1 && rule ? `, ${rule}` : ''
}

function allocationEffect(total: AllocationTotal, isByRules: boolean): Effect {
  const { isReserved, quantity, lineCount, consignmentCount, rotations } = total
  const verb = isReserved ? 'reserve' : 'release'
  const of = consignmentCount > 1 ? ` of ${count(consignmentCount, 'consignment')}` : ''
  const rule = isReserved && isByRules ? ruleOf(rotations) : ''
  return {
    kind: isReserved ? 'allocate' : 'release',
    text: `${verb} ${count(quantity, 'item')} on ${count(lineCount, 'line')}${of}${rule}`,
    data: { quantity, lineCount, consignmentCount },
  }
}

type Place = { locationName: string; quantity: number }

const placesOf = (changes: readonly LocationChange[], figure: 'incoming' | 'outgoing'): Place[] =>
  changes
    .map(({ locationName, redescribed, ...change }) => ({
      locationName,
      quantity: change[figure] - redescribed,
    }))
    .filter(({ quantity }) => quantity > 0)

const total = (places: readonly Place[]) => places.reduce((sum, { quantity }) => sum + quantity, 0)
const namesOf = (places: readonly Place[]) => listOf(places.map(({ locationName }) => locationName))
/** The names of more places than this are not told one by one. */
const maxPlaces = 100

const effect = (kind: string, text: string, from: Place[], to: Place[]): Effect => ({
  kind,
  text,
  data: {
    quantity: total(from.length > 0 ? from : to),
    from: from.slice(0, maxPlaces),
    to: to.slice(0, maxPlaces),
  },
})

/** Effects on goods by changes of one type. */
function goodsEffects(changes: readonly LocationChange[]): Effect[] {
  const [first] = changes
  if (first === undefined) return []
  const [out, into] = [placesOf(changes, 'outgoing'), placesOf(changes, 'incoming')]
  const [left, entered] = [count(total(out), 'item'), count(total(into), 'item')]
  const only = (places: Place[], kind: string, text: string, from: Place[], to: Place[]) =>
    places.length === 0 ? [] : [effect(kind, text, from, to)]
  switch (first.type) {
    case TransactionType.Receive:
      return [
        ...only(into, 'receive', `receive ${entered} into ${namesOf(into)}`, [], into),
        ...only(out, 'receive', `take back the receipt of ${left} in ${namesOf(out)}`, out, []),
      ]
    case TransactionType.Pick:
      return pickEffects(changes)
    case TransactionType.Dispatch:
      return [
        ...only(out, 'dispatch', `send out ${left} from ${namesOf(out)}`, out, []),
        ...only(into, 'dispatch', `bring back ${entered} to ${namesOf(into)}`, [], into),
      ]
    case TransactionType.Hold:
      return holdEffects(changes)
    case TransactionType.Transfer:
      return transferEffects(changes, out, into)
    default:
      return [
        ...only(into, 'adjust', `add ${entered} in ${namesOf(into)}`, [], into),
        ...only(out, 'adjust', `write off ${left} in ${namesOf(out)}`, out, []),
        ...redescribedEffects(changes),
      ]
  }
}

/** Goods that are picked go to a dock; those that are put back come from there. */
function pickEffects(changes: readonly LocationChange[]): Effect[] {
  const [picked, putBack] = [changes.filter(one => !one.isPutBack), changes.filter(one => one.isPutBack)]
  const [from, to] = [placesOf(picked, 'outgoing'), placesOf(picked, 'incoming')]
  const [backFrom, backTo] = [placesOf(putBack, 'outgoing'), placesOf(putBack, 'incoming')]
  const dock = to.length > 0 ? ` to ${namesOf(to)}` : ''
  // Where a few places are visited, each has a line of its own.
  const taken =
    from.length > maxOwnLines || to.length > 1
      ? [effect('pick', `take ${count(total(from), 'item')} from ${namesOf(from)}${dock}`, from, to)]
      : from.map(place =>
          effect(
            'pick',
            `take ${count(place.quantity, 'item')} from ${place.locationName}${dock}`,
            [place],
            to.map(({ locationName }) => ({ locationName, quantity: place.quantity })),
          ),
        )
  const returned =
    backTo.length === 0
      ? []
      : [effect('pick', `put ${count(total(backTo), 'item')} back to ${namesOf(backTo)}`, backFrom, backTo)]
  return [...taken, ...returned]
}
const maxOwnLines = 5

function transferEffects(changes: readonly LocationChange[], from: Place[], to: Place[]): Effect[] {
  const within = redescribed(changes)
  const moved =
    from.length === 0
      ? []
      : [
          effect(
            'move',
            `move ${count(total(from), 'item')} from ${namesOf(from)} to ${namesOf(to)}`,
            from,
            to,
          ),
        ]
  return within.length === 0
    ? moved
    : [
        ...moved,
        effect('move', `move ${count(total(within), 'item')} within ${namesOf(within)}`, within, within),
      ]
}

/** Goods enter a hold, or leave one, where they lie. */
function holdEffects(changes: readonly LocationChange[]): Effect[] {
  const sum = (isHeld: boolean) =>
    changes
      .filter(one => one.isHeld === isHeld)
      .map(({ locationName, incoming }) => ({ locationName, quantity: incoming }))
      .filter(({ quantity }) => quantity > 0)
  const [held, freed] = [sum(true), sum(false)]
  return [
    ...(held.length === 0
      ? []
      : [effect('hold', `hold ${count(total(held), 'item')} in ${namesOf(held)}`, held, held)]),
    ...(freed.length === 0
      ? []
      : [
          effect('hold', `end the hold of ${count(total(freed), 'item')} in ${namesOf(freed)}`, freed, freed),
        ]),
  ]
}

const redescribed = (changes: readonly LocationChange[]): Place[] =>
  changes
    .map(({ locationName, redescribed: quantity }) => ({ locationName, quantity }))
    .filter(({ quantity }) => quantity > 0)

function redescribedEffects(changes: readonly LocationChange[]): Effect[] {
  const places = redescribed(changes)
  if (places.length === 0) return []
  const text = `describe ${count(total(places), 'item')} in ${namesOf(places)} anew`
  return [effect('adjust', text, places, places)]
}
