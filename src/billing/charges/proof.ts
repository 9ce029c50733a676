// The proof of a charge: it is derived again from what was frozen, and compared. Open-points 7.

import { type Db, sql } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { endpoint, json } from '../../platform/http/endpoint.ts'
import { notFound } from '../../platform/http/refusal.ts'
import {
  allNullable,
  IntegerEnum,
  named,
  nullable,
  PlainDate,
  type Static,
  Type,
  UtcTime,
  Uuid,
} from '../../platform/http/schema.ts'
import { RateCardBecause, RateKind } from '../enumerations.ts'
import { evaluatorVersion, type RatedCharge } from '../rate-cards/evaluate.ts'
import { numberOf, textOf } from '../rate-cards/exact.ts'
import { failedSelectors, type Step, stepsOf } from '../rate-cards/explain.ts'
import { RateChargeContent } from '../rate-cards/rate-card-content.ts'
import { toldRule } from '../rate-cards/told-rule.ts'
import { type ChargeSubject, describePart, inputOf } from './charge-subject.ts'
import { type ChargedConsignment, type ChargeView, readChargedConsignment } from './charged-consignment.ts'
import { chargeId, type RatedSide } from './rate-consignment.ts'

const Source = nullable(
  Type.Object({
    kind: Type.Enum(['event', 'record', 'person']),
    id: nullable(Uuid),
    type: nullable(Type.Integer()),
    atUtc: nullable(UtcTime),
    by: nullable(Type.String()),
  }),
)
const StepSchema = Type.Object({
  name: Type.Enum(['metric', 'rounding', 'band', 'rate', 'base', 'min', 'max', 'faf', 'amount']),
  from: Type.String(),
  operation: Type.String(),
  to: Type.String(),
})
const Rule = Type.Object({
  rateCardId: Uuid,
  name: Type.String(),
  because: IntegerEnum(RateCardBecause),
  version: Type.Object({
    id: Uuid,
    number: Type.Integer(),
    effectiveFrom: PlainDate,
    contentSha256: Type.String(),
  }),
  rate: Type.Object({ id: Uuid, name: Type.String(), kind: IntegerEnum(RateKind) }),
  charge: RateChargeContent,
})

/** How an amount came to be, derived again. */
export const ChargeProof = named(
  'ChargeProof',
  Type.Object({
    subject: Type.Object({ kind: Type.String(), id: Uuid, amountExclTax: Type.Number() }),
    isFrozen: Type.Boolean(),
    isVerified: {
      ...Type.Boolean(),
      description: 'The derivation comes to the amount: rules, version and inputs are those of the charge.',
    },
    evaluatorVersion: nullable(Type.Integer()),
    derivedExclTax: nullable(Type.Number()),
    rule: nullable(Rule),
    inputs: Type.Array(
      Type.Object({
        name: Type.String(),
        value: Type.String(),
        unit: nullable(Type.String()),
        source: Source,
      }),
    ),
    passedOver: Type.Array(
      Type.Object({ rateChargeId: Uuid, reason: Type.String(), wanted: Type.String(), found: Type.String() }),
      { description: 'The charges of the rate that were tried before.' },
    ),
    resolution: nullable(
      Type.Array(Type.Object({ rateId: Uuid, amount: Type.Number(), isChosen: Type.Boolean() })),
    ),
    steps: Type.Array(StepSchema),
    ...allNullable({ series: Type.Array(Type.Object({})) }),
  }),
)
export type ChargeProof = Static<typeof ChargeProof>

/** A consignment as it was charged. */
type Derivable = Pick<ChargedConsignment, 'subject' | 'frozen' | 'rated'>

/** The row of the evaluator that a charge is, and whose side it is of. */
function derivation({ subject, rated }: Derivable, id: string) {
  if (subject === null || rated === null) return undefined
  for (const side of [rated.client, rated.carrier]) {
    const found = side?.evaluation.charges.find(
      ({ charge, partKey }) => chargeId(subject, charge.content.id, partKey) === id,
    )
    if (side !== null && found !== undefined) return { side, found }
  }
  return undefined
}

interface ToldEvent {
  id: string
  type: number
  atUtc: string
  by: string | null
}

/** The events that told what was charged by, and who did it. */
async function readEvents(
  db: Db,
  organisationId: string,
  ids: readonly string[],
): Promise<Map<string, ToldEvent>> {
  const events = await db.rows<ToldEvent>(sql`
    select e.id, e.type, e.created_utc as at_utc, u.full_name as by
    from event e left join app_user u on u.organisation_id = e.organisation_id and u.id = e.user_id
    where e.organisation_id = ${organisationId} and e.id = any(${ids})`)
  return new Map(events.map(event => [event.id, event]))
}

/** What was measured, with the events behind it. */
function inputsOf(
  subject: ChargeSubject,
  takes: readonly { part: number; quantity: number | bigint }[],
  sourceOf: (name: string) => Static<typeof Source>,
): ChargeProof['inputs'] {
  const { lines, tasks } = subject
  const decided = [
    { name: 'chargeDate', value: subject.chargeDate, unit: null, source: sourceOf('status') },
    ...(subject.carrierId === null
      ? []
      : [{ name: 'carrierId', value: subject.carrierId, unit: null, source: sourceOf('route') }]),
  ]
  const measured = takes.flatMap(({ part, quantity }) => {
    const { name } = describePart(subject, part)
    const line = lines[part]
    const kind =
      part < lines.length ? 'products' : part < lines.length + tasks.length ? 'tasks' : 'consumables'
    const source = sourceOf(kind)
    const figures =
      line === undefined
        ? []
        : ([
            ['weight', line.weight, 'kg'],
            ['volume', line.volume, 'm³'],
          ] as const)
    return [
      { name: `${name ?? 'line'} quantity`, value: textOf(4, quantity), unit: null, source },
      ...figures.flatMap(([figure, value, unit]) =>
        value === null ? [] : [{ name: `${name ?? 'line'} ${figure}`, value, unit, source }],
      ),
    ]
  })
  return [...decided, ...measured]
}

/** The charges of the rate that came before, and why they did not take it. */
function passedOver(subject: ChargeSubject, { evaluation }: RatedSide, found: RatedCharge) {
  const told = evaluation.told.find(({ rate }) => rate === found.rate)
  const before = told?.charges.slice(
    0,
    told.charges.findIndex(({ charge }) => charge === found.charge),
  )
  const input = inputOf(subject)
  return (before ?? []).map(({ charge, rows }) => {
    const [failed] = failedSelectors(charge, input)
    const because = rows.length > 0 ? 'it took other parts' : 'nothing of what it takes matched'
    return {
      rateChargeId: charge.content.id,
      reason: failed === undefined ? because : `${failed.selector} does not hold`,
      wanted: failed?.wanted.join(', ') ?? '',
      found: failed?.found.join(', ') ?? '',
    }
  })
}

function resolutionOf({ evaluation }: RatedSide, { rate }: RatedCharge): ChargeProof['resolution'] {
  const isFreight = rate.kind === RateKind.ClientFreight || rate.kind === RateKind.CarrierFreight
  if (!isFreight) return null
  return evaluation.told.flatMap(({ rate: one, amount, isLost }) =>
    amount === null || one.kind !== rate.kind
      ? []
      : [{ rateId: one.content.id, amount: numberOf(2, amount), isChosen: !isLost }],
  )
}

/** What is proved: a charge, or the transaction that was raised from it. */
export interface ProofSubject {
  kind: 'charge' | 'scheduleTransaction'
  id: string
  amountExclTax: number
}

/** A charge that somebody entered. Decimals are text. */
export interface EnteredCharge {
  /** null: it was entered as a transaction, not for a consignment */
  chargeId: string | null
  metricValue: string
  chargeRate: string
}

/** The proof of what somebody entered: who, and when. */
export async function proveEnteredCharge(
  db: Db,
  actor: Actor,
  subject: ProofSubject,
  { chargeId, metricValue, chargeRate }: EnteredCharge,
): Promise<ChargeProof> {
  const entered = await db.maybe<{ by: string | null; atUtc: string }>(sql`
    select u.full_name as by, h.created_utc as at_utc
    from consignment_charge h
    left join app_user u on u.organisation_id = h.organisation_id and u.id = h.created_by
    where h.organisation_id = ${actor.organisationId} and h.id = ${chargeId}
    union all
    select u.full_name, t.created_utc
    from schedule_transaction t
    left join app_user u on u.organisation_id = t.organisation_id and u.id = t.created_by
    where t.organisation_id = ${actor.organisationId} and t.id = ${subject.id}
      and t.consignment_charge_id is null`)
  const source = entered === undefined ? null : { kind: 'person' as const, id: null, type: null, ...entered }
  return {
    subject,
    isFrozen: true,
    isVerified: true,
    evaluatorVersion: null,
    derivedExclTax: subject.amountExclTax,
    ...nothingDerived,
    inputs: [
      { name: 'metricValue', value: metricValue, unit: null, source },
      { name: 'chargeRateExclTax', value: chargeRate, unit: null, source },
    ],
  }
}

/** What of a proof is empty where nothing is derived by a rule. */
const nothingDerived = { rule: null, inputs: [], passedOver: [], resolution: null, steps: [], series: null }

/** The proof of a charge that follows from a rate card, whose consignment is given as it was charged. */
export async function proveDerivedCharge(
  db: Db,
  actor: Actor,
  about: ProofSubject,
  charged: Derivable,
  chargeId: string,
): Promise<ChargeProof> {
  const { subject, frozen } = charged
  const derived = derivation(charged, chargeId)
  const version = frozen?.evaluatorVersion ?? evaluatorVersion
  const common = { subject: about, isFrozen: frozen !== null, evaluatorVersion: version }
  if (subject === null || derived === undefined)
    return { ...common, ...nothingDerived, derivedExclTax: null, isVerified: false }
  const { side, found } = derived
  const sources = frozen?.sources ?? {}
  const events = await readEvents(db, actor.organisationId, Object.values(sources))
  const sourceOf = (name: string): Static<typeof Source> => {
    const event = events.get(sources[name] ?? '')
    return event === undefined ? null : { kind: 'event', ...event }
  }
  const rows = side.evaluation.told.flatMap(({ charges }) =>
    charges.filter(one => one.charge === found.charge).flatMap(one => one.rows),
  )
  const row = rows.find(({ priced }) => priced.includes(found.row))
  const derivedExclTax = numberOf(2, found.row.amount)
  return {
    ...common,
    derivedExclTax,
    isVerified: derivedExclTax === about.amountExclTax && version === evaluatorVersion,
    rule: toldRule(side.version, side.card.because, found.rate, found.charge),
    inputs: inputsOf(subject, row?.measured.takes ?? [], sourceOf),
    passedOver: actor.partnerId === null ? passedOver(subject, side, found) : [],
    resolution: actor.partnerId === null ? resolutionOf(side, found) : null,
    steps: row === undefined ? ([] as Step[]) : stepsOf(found.charge, row.measured, found.row, found.faf),
    series: null,
  }
}

/** The proof of a charge of a consignment. Undefined where there is no such charge that the actor may see. */
async function proofOf(
  db: Db,
  actor: Actor,
  charged: ChargedConsignment,
  id: string,
): Promise<ChargeProof | undefined> {
  const isSeen = (charge: ChargeView) =>
    charge.id === id && (actor.partnerId === null || charge.partnerId === actor.partnerId)
  const about = (charge: ChargeView): ProofSubject => ({
    kind: 'charge',
    id,
    amountExclTax: Number(charge.amountExclTax),
  })
  const adhoc = charged.adhoc.find(isSeen)
  if (adhoc !== undefined) return proveEnteredCharge(db, actor, about(adhoc), { chargeId: id, ...adhoc })
  const charge = charged.charges.find(isSeen)
  return charge && proveDerivedCharge(db, actor, about(charge), charged, id)
}

export const chargeProof = [
  endpoint({
    get: '/v1/consignments/:consignmentId/charges/:consignmentChargeId/proof',
    name: 'getChargeProof',
    partners: 'all',
    scope: 'financial.read',
    extension: true,
    summary: 'Prove a charge: derive it again from what it was made of',
    description:
      'Of an open consignment by what is true now (isFrozen false), of a Closed one by what was frozen. ' +
      'The proof shows the one rule that counted, never the card. A charge that somebody entered says who.',
    answer: json(ChargeProof),
    async handle({ db, actor, params }) {
      const charged = await readChargedConsignment(db, actor, params.consignmentId)
      const proof = await proofOf(db, actor, charged, params.consignmentChargeId.toLowerCase())
      if (proof === undefined) throw notFound('Charge')
      return proof
    },
  }),
]
