// The proof of a charge: derives it again from its frozen inputs, and compares. Decision 7.

import type { Actor } from '../../access/actor.ts'
import { endpoint } from '../../access/endpoint.ts'
import { type Db, type Sql, sql } from '../../platform/database/db.ts'
import { json } from '../../platform/http/endpoint.ts'
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
import { RateCardBecause, RateKind, RateMetric } from '../../vocabulary/billing.ts'
import type { RatedCharge } from '../evaluator/evaluate.ts'
import { evaluatorVersion, isKnownEvaluator } from '../evaluator/evaluator-version.ts'
import { textOf, toNumber } from '../evaluator/exact.ts'
import { failedSelectors, type Step, stepsOf } from '../evaluator/explain.ts'
import { measurementSteps } from '../evaluator/explain-measurement.ts'
import type { MeasuredGroup } from '../evaluator/metrics.ts'
import { RateChargeContent } from '../evaluator/rate-card-content.ts'
import { describeRule } from '../rate-cards/describe-rule.ts'
import { type BillableConsignment, describePart, inputOf } from './billable-consignment.ts'
import { type ChargedConsignment, type ChargeView, readChargedConsignment } from './charged-consignment.ts'
import { readSources } from './freeze-charges.ts'
import { chargeId, type RatedSide, unitNameOf } from './rate-consignment.ts'

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
  name: Type.Enum([
    ...['convert', 'measure', 'metric', 'rounding', 'band', 'rate', 'base', 'min', 'max', 'faf'],
    'amount',
  ]),
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

/** The derivation of an amount. */
export const ChargeProof = named(
  'ChargeProof',
  Type.Object({
    subject: Type.Object({ kind: Type.String(), id: Uuid, amountExclTax: Type.Number() }),
    isFrozen: Type.Boolean(),
    isVerified: {
      ...Type.Boolean(),
      description: 'The derivation yields the amount from the rule, version and inputs of the charge.',
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
      { description: 'The charges of the rate that were tried first.' },
    ),
    resolution: nullable(
      Type.Array(Type.Object({ rateId: Uuid, amount: Type.Number(), isChosen: Type.Boolean() })),
    ),
    steps: Type.Array(StepSchema, {
      description:
        'From the quantities to the amount: each line converted to pallets or units, what was measured of ' +
        'all lines, rounding, band, rate, base, limits, FAF and the cent.',
    }),
    ...allNullable({ series: Type.Array(Type.Object({})) }),
  }),
)
export type ChargeProof = Static<typeof ChargeProof>

/** The inputs and the result of rating a consignment. */
type Derivable = Pick<ChargedConsignment, 'consignment' | 'frozen' | 'rated'>

/** Finds the evaluator's row of a charge, and the side that it belongs to. */
function findDerivation({ consignment, rated }: Derivable, id: string) {
  if (consignment === null || rated === null) return undefined
  for (const side of [rated.client, rated.carrier]) {
    const found = side?.evaluation.charges.find(
      ({ charge, partKey }) => chargeId(consignment, charge.content.id, partKey) === id,
    )
    if (side !== null && found !== undefined) return { side, rated: found }
  }
  return undefined
}

interface SourceEvent {
  id: string
  type: number
  atUtc: string
  by: string | null
}

/** Reads the events that set the charge inputs, with the users behind them, by their names of then. */
async function readEvents(
  db: Db,
  organisationId: string,
  ids: readonly string[],
): Promise<Map<string, SourceEvent>> {
  const events = await db.rows<SourceEvent>(sql`
    select e.id, e.type, e.created_utc as at_utc, e.user_name as by from event e
    where e.organisation_id = ${organisationId} and e.id = any(${ids})`)
  return new Map(events.map(event => [event.id, event]))
}

/** Lists the inputs of a charge, with the events behind them. */
function inputsOf(
  consignment: BillableConsignment,
  takes: readonly { part: number; quantity: number | bigint }[],
  sourceOf: (name: string) => Static<typeof Source>,
): ChargeProof['inputs'] {
  const { lines, tasks } = consignment
  const deciding = [
    { name: 'chargeDate', value: consignment.chargeDate, unit: null, source: sourceOf('status') },
    ...(consignment.carrierId === null
      ? []
      : [{ name: 'carrierId', value: consignment.carrierId, unit: null, source: sourceOf('route') }]),
  ]
  const measured = takes.flatMap(({ part, quantity }) => {
    const { name } = describePart(consignment, part)
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
  return [...deciding, ...measured]
}

/** The FAF that raised a charge, with the row of the FAF profile that it comes from. */
const fafInput = ({ card }: RatedSide, { faf }: RatedCharge): ChargeProof['inputs'] =>
  faf === 0
    ? []
    : [
        {
          name: 'fafPercent',
          value: textOf(6, faf),
          unit: null,
          source: { kind: 'record', id: card.fafProfileRateId, type: null, atUtc: null, by: null },
        },
      ]

/** The steps from the quantities of the parts to the amount. */
const stepsFrom = (
  consignment: BillableConsignment,
  { charge, row, faf }: RatedCharge,
  measured: MeasuredGroup,
): Step[] => [
  ...measurementSteps(charge, inputOf(consignment), measured, {
    partName: part => describePart(consignment, part).name ?? 'line',
    unit: charge.metric === RateMetric.VirtualPallet ? 'pallet' : (unitNameOf(consignment, charge) ?? 'unit'),
  }),
  ...stepsOf(charge, measured, row, faf),
]

/** Lists the charges of the rate that were tried before this one, and why they did not take its parts. */
function passedOver(consignment: BillableConsignment, { evaluation }: RatedSide, rated: RatedCharge) {
  const triedRate = evaluation.traces.find(({ rate }) => rate === rated.rate)
  const before = triedRate?.charges.slice(
    0,
    triedRate.charges.findIndex(({ charge }) => charge === rated.charge),
  )
  const input = inputOf(consignment)
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
  return evaluation.traces.flatMap(({ rate: candidate, amount, isLost }) =>
    amount === null || candidate.kind !== rate.kind
      ? []
      : [{ rateId: candidate.content.id, amount: toNumber(2, amount), isChosen: !isLost }],
  )
}

/** The subject of a proof: a charge, or the transaction that was raised from it. */
export interface ProofSubject {
  kind: 'charge' | 'scheduleTransaction'
  id: string
  amountExclTax: number
}

/** A charge that was entered by hand. Decimals are text. */
export interface EnteredCharge {
  /** null if it was entered as a transaction without a consignment */
  chargeId: string | null
  metricValue: string
  chargeRate: string
}

/** What user `u` was called at a moment. */
const nameAt = (moment: Sql): Sql =>
  sql`coalesce(former_record_at(u.organisation_id, u.id, ${moment}) ->> 'full_name', u.full_name)`

/** Proves a charge that was entered by hand: by whom, and when. */
export async function proveEnteredCharge(
  db: Db,
  actor: Actor,
  subject: ProofSubject,
  { chargeId, metricValue, chargeRate }: EnteredCharge,
): Promise<ChargeProof> {
  const entered = await db.maybe<{ by: string | null; atUtc: string }>(sql`
    select ${nameAt(sql`h.created_utc`)} as by, h.created_utc as at_utc
    from consignment_charge h
    left join app_user u on u.organisation_id = h.organisation_id and u.id = h.created_by
    where h.organisation_id = ${actor.organisationId} and h.id = ${chargeId}
    union all
    select ${nameAt(sql`t.created_utc`)}, t.created_utc
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

/** The empty fields of a proof without a rule. */
const nothingDerived = { rule: null, inputs: [], passedOver: [], resolution: null, steps: [], series: null }

/** Proves a charge that follows from a rate card, given its consignment as it was rated. */
export async function proveDerivedCharge(
  db: Db,
  actor: Actor,
  proofSubject: ProofSubject,
  charged: Derivable,
  chargeId: string,
): Promise<ChargeProof> {
  const { consignment, frozen } = charged
  const derivation = findDerivation(charged, chargeId)
  const version = frozen?.evaluatorVersion ?? evaluatorVersion
  const common = { subject: proofSubject, isFrozen: frozen !== null, evaluatorVersion: version }
  if (consignment === null || derivation === undefined)
    return { ...common, ...nothingDerived, derivedExclTax: null, isVerified: false }
  const { side, rated } = derivation
  const sources =
    frozen?.sources ??
    (await readSources(db, actor.organisationId, [consignment.id])).get(consignment.id) ??
    {}
  const events = await readEvents(db, actor.organisationId, Object.values(sources))
  const sourceOf = (name: string): Static<typeof Source> => {
    const event = events.get(sources[name] ?? '')
    return event === undefined ? null : { kind: 'event', ...event }
  }
  const rows = side.evaluation.traces.flatMap(({ charges }) =>
    charges.filter(tried => tried.charge === rated.charge).flatMap(tried => tried.rows),
  )
  const row = rows.find(({ priced }) => priced.includes(rated.row))
  const derivedExclTax = toNumber(2, rated.row.amount)
  return {
    ...common,
    derivedExclTax,
    isVerified: derivedExclTax === proofSubject.amountExclTax && isKnownEvaluator(version),
    rule: describeRule(side.version, side.card.because, rated.rate, rated.charge),
    inputs: [...inputsOf(consignment, row?.measured.takes ?? [], sourceOf), ...fafInput(side, rated)],
    passedOver: actor.partnerId === null ? passedOver(consignment, side, rated) : [],
    resolution: actor.partnerId === null ? resolutionOf(side, rated) : null,
    steps: row === undefined ? [] : stepsFrom(consignment, rated, row.measured),
    series: null,
  }
}

/** Proves a charge of a consignment. Undefined if there is none that the actor may see. */
async function proveCharge(
  db: Db,
  actor: Actor,
  charged: ChargedConsignment,
  id: string,
): Promise<ChargeProof | undefined> {
  const isVisible = (charge: ChargeView) =>
    charge.id === id && (actor.partnerId === null || charge.partnerId === actor.partnerId)
  const toSubject = (charge: ChargeView): ProofSubject => ({
    kind: 'charge',
    id,
    amountExclTax: Number(charge.amountExclTax),
  })
  const adhoc = charged.adhoc.find(isVisible)
  if (adhoc !== undefined) return proveEnteredCharge(db, actor, toSubject(adhoc), { chargeId: id, ...adhoc })
  const charge = charged.charges.find(isVisible)
  return charge && proveDerivedCharge(db, actor, toSubject(charge), charged, id)
}

export const chargeProof = [
  endpoint({
    get: '/v1/consignments/:consignmentId/charges/:consignmentChargeId/proof',
    name: 'getChargeProof',
    partners: 'all',
    scope: 'financial.read',
    extension: true,
    summary: 'Prove a charge: derive it again from its inputs',
    description:
      'For an open consignment the proof uses the current data (isFrozen false), for a Closed one the ' +
      'frozen data. It shows only the rule that applied, never the whole card. For a charge entered by ' +
      'hand, it says by whom.',
    response: json(ChargeProof),
    async handle({ db, actor, params, passOn }) {
      const charged = await readChargedConsignment(db, actor, params.consignmentId, passOn)
      const proof = await proveCharge(db, actor, charged, params.consignmentChargeId)
      if (proof === undefined) throw notFound('Charge')
      return proof
    },
  }),
]
