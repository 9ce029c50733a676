// The logistic units that goods are put on: existing ones, and ones created for the purpose. The unit
// determines the location of the goods, as a unit is always in the same location as the goods on it. Spec
// 2.3, 2.14.

import type { Tx } from '../../platform/database/db.ts'
import { refuseViolations } from '../../platform/database/errors.ts'
import type { FieldFault } from '../../platform/http/entry-faults.ts'
import { duplicate } from '../../platform/http/refusal.ts'
import { moveUnits } from '../ledger/move-units.ts'
import type { LockedStock } from '../ledger/stock-lock.ts'
import {
  addIdentifiers,
  createUnits,
  findUnits,
  type LogisticUnitState,
  type UnitReference,
} from './unit-references.ts'

/** A request to put the goods of an entry on a unit. */
export interface UnitRequest {
  unit: UnitReference
  partnerId: string
  warehouseId: string
  /** whether it is created if it does not exist, even without isNew */
  mayBeCreated?: boolean
  gs1CompanyPrefix: string | null
}

/** A unit that goods are put on. */
export interface DestinationUnit extends UnitRequest {
  /** the existing unit; undefined if it is to be created */
  known: LogisticUnitState | undefined
  /** the location of the goods that are on it already, in this warehouse; else null */
  fixedLocationId: string | null
  /** where it stands in this warehouse; null if it stands elsewhere */
  ownLocationId: string | null
  /** where it is put; the caller sets it for each unit without a fixed location */
  warehouseLocationId: string | null
}

/** Returns the id, SSCC and reference by which a request identifies its unit, each with a unique key. */
const identifiersOf = ({ partnerId, unit }: UnitRequest): { key: string; unit: UnitReference }[] => [
  ...(unit.logisticUnitId
    ? [{ key: `id ${unit.logisticUnitId}`, unit: { logisticUnitId: unit.logisticUnitId } }]
    : []),
  ...(unit.ssccNumber ? [{ key: `SSCC ${unit.ssccNumber}`, unit: { ssccNumber: unit.ssccNumber } }] : []),
  ...(unit.referenceNumber
    ? [
        {
          key: `reference ${partnerId} ${unit.referenceNumber.toLowerCase()}`,
          unit: { referenceNumber: unit.referenceNumber },
        },
      ]
    : []),
]

/** The units of the entries of one command, and the faults of those that can be put on none. */
export interface ResolvedUnits {
  units: readonly (DestinationUnit | undefined)[]
  faults: readonly [entry: number, ...FieldFault][]
}

/**
 * Resolves the units of the entries of several commands, each as if it were alone, with one query; entries of
 * a command that name the same unit get the same object. Call it under the stock lock; it locks the units,
 * too. Two commands that name the same unit have different objects for it, so only one may be carried out;
 * `UsedUnits` tells.
 */
export async function resolveUnitsOfCommands(
  tx: Tx,
  organisationId: string,
  commands: readonly (readonly (UnitRequest | null)[])[],
): Promise<ResolvedUnits[]> {
  const references = commands
    .flat()
    .flatMap(request =>
      request === null
        ? []
        : identifiersOf(request).map(({ unit }) => ({ partnerId: request.partnerId, unit })),
    )
  const find = await findUnits(tx, organisationId, references)
  return commands.map(requests => resolveEntries(requests, find))
}

function resolveEntries(
  requests: readonly (UnitRequest | null)[],
  find: Awaited<ReturnType<typeof findUnits>>,
): ResolvedUnits {
  const unitByKey = new Map<string, DestinationUnit>()
  const faults: [number, ...FieldFault][] = []
  const units = requests.map((request, entry) => {
    if (request === null) return undefined
    const identifiers = identifiersOf(request)
    const found = identifiers.flatMap(({ unit }) => find(request.partnerId, unit) ?? [])
    const known = found[0]
    const named = new Set(identifiers.flatMap(({ key }) => unitByKey.get(key) ?? []))
    const [earlier] = named
    const problem =
      named.size > 1
        ? severalUnits
        : (findProblem(request, identifiers, found, earlier !== undefined) ??
          (earlier && identifierClash(earlier, request.unit)) ??
          (known && identifierClash({ known, unit: {} }, request.unit)))
    if (problem) {
      faults.push([entry, ...problem])
      return undefined
    }
    const unit = earlier ?? {
      ...request,
      unit: { ...request.unit },
      known,
      fixedLocationId: known?.isEmpty === false ? known.warehouseLocationId : null,
      ownLocationId: known?.warehouseId === request.warehouseId ? known.warehouseLocationId : null,
      warehouseLocationId: null,
    }
    mergeIdentifiers(unit.unit, request.unit)
    for (const { key } of identifiers) unitByKey.set(key, unit)
    return unit
  })
  return { units, faults }
}

/** The units that a command puts goods on, moves, or takes goods off. */
export interface UnitsOfCommand {
  requests: readonly (UnitRequest | null)[]
  /** those of the requests */
  units: ResolvedUnits['units']
  /** the ids of those that it moves or takes goods off */
  emptied: readonly (string | null)[]
}

/** The units that planned commands of a shared transaction put goods on, move, or take goods off. */
export class UsedUnits {
  readonly #keys = new Set<string>()

  /** Whether an earlier command changes what was read about one of the units of a command. */
  areUsed(command: UnitsOfCommand): boolean {
    return keysOf(command).some(key => this.#keys.has(key))
  }

  /** Notes the units of a command that is planned. */
  use(command: UnitsOfCommand): void {
    for (const key of keysOf(command)) this.#keys.add(key)
  }
}

/** All that the units of entries are identified by, whichever of it the entries name. */
const keysOf = ({ requests, units, emptied }: UnitsOfCommand): string[] => [
  ...emptied.flatMap(id => (id === null ? [] : `id ${id}`)),
  ...requests.flatMap(request => (request === null ? [] : identifiersOf(request).map(({ key }) => key))),
  ...units.flatMap(unit => {
    if (!unit?.known) return []
    const { id, ssccNumber, referenceNumber } = unit.known
    return identifiersOf({ ...unit, unit: { logisticUnitId: id, ssccNumber, referenceNumber } }).map(
      ({ key }) => key,
    )
  }),
]

const severalUnits: FieldFault = ['logisticUnit names several units of this request', 'invalid']

/** Why a unit cannot also have the SSCC or the reference of a request: it has another one. */
function identifierClash(
  { known, unit }: Pick<DestinationUnit, 'known' | 'unit'>,
  given: UnitReference,
): FieldFault | undefined {
  const name = known ? `the logistic unit ${known.logisticUnitNumber}` : 'that logistic unit'
  const [sscc, reference] = [
    known?.ssccNumber ?? unit.ssccNumber,
    known?.referenceNumber ?? unit.referenceNumber,
  ]
  if (sscc && given.ssccNumber && sscc !== given.ssccNumber)
    return [`${name} has the SSCC ${sscc}, not ${given.ssccNumber}`, 'conflict']
  const { referenceNumber } = given
  if (reference && referenceNumber && reference.toLowerCase() !== referenceNumber.toLowerCase())
    return [`${name} has the reference ${reference}, not ${referenceNumber}`, 'conflict']
  return undefined
}

/** Adds to what is said about a unit what a further entry says. */
function mergeIdentifiers(unit: UnitReference, given: UnitReference): void {
  if (given.ssccNumber) unit.ssccNumber ??= given.ssccNumber
  if (given.referenceNumber) unit.referenceNumber ??= given.referenceNumber
  if (given.generateSscc) unit.generateSscc = true
}

/** Returns why goods cannot be put on the requested unit; null if they can. */
function findProblem(
  { unit, partnerId, warehouseId, mayBeCreated, gs1CompanyPrefix }: UnitRequest,
  identifiers: ReturnType<typeof identifiersOf>,
  found: readonly LogisticUnitState[],
  isNamedEarlier: boolean,
): FieldFault | null {
  const known = found[0]
  if (known === undefined) {
    if (unit.isNew || isNamedEarlier || (mayBeCreated && identifiers.length > 0))
      return unit.generateSscc && !gs1CompanyPrefix
        ? ['no SSCC can be made: the client has no gs1CompanyPrefix; set it, or give an SSCC', 'required']
        : null
    const by = unit.logisticUnitId ?? unit.ssccNumber ?? unit.referenceNumber
    return [
      by
        ? `there is no logistic unit ${by}; isNew makes one`
        : 'logisticUnit needs a logisticUnitId, an ssccNumber or a referenceNumber, or isNew',
      'unknown_reference',
    ]
  }
  const { logisticUnitNumber } = known
  if (found.some(({ id }) => id !== known.id))
    return [`logisticUnit names several units, ${logisticUnitNumber} among them`, 'invalid']
  if (unit.isNew)
    return [
      `the logistic unit ${logisticUnitNumber} has the given id, SSCC or reference already`,
      'duplicate',
    ]
  if (known.partnerId !== partnerId)
    return [`the logistic unit ${logisticUnitNumber} is another client's`, 'wrong_client']
  if (!known.isEmpty && known.warehouseId !== warehouseId)
    return [`the logistic unit ${logisticUnitNumber} has goods in another warehouse`, 'wrong_place']
  return null
}

/**
 * Creates the new units, puts the empty ones into their locations, and adds SSCCs and references that units
 * lacked. Returns the id of each unit. Call it
 * after everything that can be refused.
 */
export async function createAndMoveUnits(
  tx: Tx,
  locked: LockedStock,
  units: ReadonlySet<DestinationUnit>,
): Promise<Map<DestinationUnit, string>> {
  const place = ({ warehouseId, fixedLocationId: standsAt, warehouseLocationId }: DestinationUnit) => ({
    warehouseId,
    warehouseLocationId: (standsAt ?? warehouseLocationId) as string,
  })
  const known = [...units].flatMap(unit => (unit.known ? [{ unit, id: unit.known.id }] : []))
  const newUnits = [...units].filter(unit => unit.known === undefined)
  await moveUnits(
    tx,
    locked,
    known
      .filter(({ unit }) => unit.fixedLocationId === null)
      .map(({ unit, id }) => ({ logisticUnitId: id, ...place(unit) })),
  )
  const creation = createUnits(
    tx,
    locked,
    newUnits.map(unit => ({
      unit: unit.unit,
      partnerId: unit.partnerId,
      gs1CompanyPrefix: unit.gs1CompanyPrefix,
      ...place(unit),
    })),
  )
  const taken = () =>
    duplicate(null, 'A logistic unit with one of these SSCCs, references or ids already exists.')
  const refusals = {
    logistic_unit_sscc_key: taken,
    logistic_unit_reference_key: taken,
    logistic_unit_pkey: taken,
  }
  const ids = await refuseViolations(creation, refusals)
  const identified = known.map(({ unit, id }) => ({ unit, id, known: unit.known as LogisticUnitState }))
  await refuseViolations(
    addIdentifiers(
      tx,
      locked,
      identified.flatMap(({ unit: { unit }, id, known: { ssccNumber, referenceNumber } }) => {
        const added = {
          ssccNumber: ssccNumber ? null : unit.ssccNumber,
          referenceNumber: referenceNumber ? null : unit.referenceNumber,
        }
        return added.ssccNumber || added.referenceNumber ? [{ id, ...added }] : []
      }),
    ),
    refusals,
  )
  return new Map([
    ...known.map(({ unit, id }) => [unit, id] as const),
    ...newUnits.map((unit, i) => [unit, ids[i] as string] as const),
  ])
}
