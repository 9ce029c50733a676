// A second, simpler implementation of the evaluator's rules: every number is a fraction of BigInts, each rate
// starts with a list of the parts that it may charge, and nothing is precomputed or cached.

/** A fraction. */
export interface Q {
  n: bigint
  d: bigint
}

const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? (a < 0n ? -a : a) : gcd(b, a % b))
const q = (n: bigint, d = 1n): Q => {
  const g = gcd(n, d) || 1n
  return { n: n / g, d: d / g }
}
const plus = (a: Q, b: Q) => q(a.n * b.d + b.n * a.d, a.d * b.d)
const minus = (a: Q, b: Q) => q(a.n * b.d - b.n * a.d, a.d * b.d)
const times = (a: Q, b: Q) => q(a.n * b.n, a.d * b.d)
const over = (a: Q, b: Q) => q(a.n * b.d, a.d * b.n)
const isLess = (a: Q, b: Q) => a.n * b.d < b.n * a.d
const isSame = (a: Q, b: Q) => a.n === b.n && a.d === b.d
const zero = q(0n)
const floor = (a: Q) => q(a.n / a.d)
const ceiling = (a: Q) => (a.n % a.d === 0n ? q(a.n / a.d) : q(a.n / a.d + 1n))

/** Rounds to a multiple of a step, half away from zero. */
function nearest(a: Q, step: Q): Q {
  const steps = over(a, step)
  const [size, sign] = steps.n < 0n ? [-steps.n, -1n] : [steps.n, 1n]
  const whole = size / steps.d
  const rest = size % steps.d
  return times(q(sign * (2n * rest >= steps.d ? whole + 1n : whole)), step)
}
const places = (count: number) => q(1n, 10n ** BigInt(count))
const rounded = (a: Q, count: number) => nearest(a, places(count))

/** Converts a decimal number to a fraction, digit by digit. */
export function decimal(value: number | string): Q {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(String(value)) ?? assertNever(value)
  const n = BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n)
  const ten = Number(exponent) - fraction.length
  return ten >= 0 ? q(n * 10n ** BigInt(ten)) : q(n, 10n ** BigInt(-ten))
}
function assertNever(value: unknown): never {
  throw new Error(`${value} is not a decimal.`)
}

/** A line, task or consumable, with numbers in units as people write them. */
export interface ModelPart {
  kind: 'line' | 'task' | 'consumable'
  typeId?: string
  productId?: string | null
  productGroupId?: string | null
  dgHazardClassIds?: string[]
  attributes?: { productAttributeId: string; description: string }[]
  packageTypeCode?: string | null
  /** how many items are on a pallet or in a unit type */
  units?: { unitTypeId: string | null; items: number }[]
  quantity: number
  weight?: number | null
  volume?: number | null
  /** null if the goods are loose; 0 if another line counts their units */
  logisticUnits?: number | null
  serials?: number
}

export type ModelHeader = Record<string, unknown>

// biome-ignore lint/suspicious/noExplicitAny: a content as JSON
type Json = any

/** The model's result for a consignment. */
export interface ModelResult {
  rows: { rateId: string; chargeId: string; key: string; metric: string; amount: string }[]
  /** for each rate: what remained of each part */
  left: { rateId: string; parts: (string | null)[] }[]
  unrated: { part: number | null; quantity: string; reason: number }[]
}

interface RemainingPart {
  part: ModelPart
  at: number
  left: Q
  isGone: boolean
  reason: number
}

const text = (a: Q): string => `${a.n}/${a.d}`
const headerNames = [
  ['consignmentTypes', 'consignmentType'],
  ['serviceTypeIds', 'serviceTypeIds'],
  ['carrierIds', 'carrierId'],
  ['warehouseIds', 'warehouseId'],
  ['priorities', 'priority'],
  ['isContainerised', 'isContainerised'],
  ['containerSizes', 'containerSize'],
  ['containerTypes', 'containerType'],
  ['originLocalityIds', 'originLocalityIds'],
  ['destinationLocalityIds', 'destinationLocalityIds'],
  ['weekdays', 'weekday'],
] as const

const has = (wanted: Json, found: unknown): boolean =>
  [found].flat().some(value => value !== null && value !== undefined && [wanted].flat().includes(value))

function failedSelectors(when: Json, header: ModelHeader): string[] {
  return headerNames.flatMap(([selector, field]) =>
    when?.[selector] === undefined || has(when[selector], header[field]) ? [] : [selector],
  )
}

function matchesPart(when: Json, part: ModelPart): boolean {
  if (part.kind === 'task') return has(when?.taskTypeIds ?? [], part.typeId)
  if (part.kind === 'consumable') return has(when?.consumableTypeIds ?? [], part.typeId)
  const wanted = when ?? {}
  return (
    (wanted.productIds === undefined || has(wanted.productIds, part.productId)) &&
    (wanted.productGroupIds === undefined || has(wanted.productGroupIds, part.productGroupId)) &&
    (wanted.dgHazardClassIds === undefined || has(wanted.dgHazardClassIds, part.dgHazardClassIds ?? [])) &&
    (wanted.packageTypeCodes === undefined ||
      has(
        wanted.packageTypeCodes.map((code: string) => code.toLowerCase()),
        part.packageTypeCode?.toLowerCase(),
      )) &&
    (wanted.productAttributes === undefined ||
      wanted.productAttributes.some((attribute: Json) =>
        (part.attributes ?? []).some(
          candidate =>
            candidate.productAttributeId === attribute.productAttributeId &&
            attribute.descriptions.some(
              (description: string) => description.toLowerCase() === candidate.description.toLowerCase(),
            ),
        ),
      ))
  )
}

const kindOf = (metric: number) => (metric === 7 ? 'task' : metric === 8 ? 'consumable' : 'line')

/** The share of a weight or volume that corresponds to the remaining quantity. */
function share(figure: number, { part, left }: RemainingPart, count: number): Q {
  const [all, quantity] = [decimal(figure), decimal(part.quantity)]
  if (isSame(left, quantity)) return all
  return minus(all, rounded(over(times(all, minus(quantity, left)), quantity), count))
}

function toStep(charge: Json, value: Q): Q {
  if (!charge.rounding) return value
  const step = decimal(charge.roundTo ?? 1)
  return charge.rounding === 1 ? times(ceiling(over(value, step)), step) : nearest(value, step)
}

/**
 * What one line adds to the metric, and how much of the line is used. Undefined if the line lacks the
 * measure.
 */
function measure(
  charge: Json,
  remaining: RemainingPart,
  version: number,
): { value: Q; quantity: Q } | undefined {
  const { part, left } = remaining
  const { weight = null, volume = null } = part
  const all = (value: Q) => ({ value, quantity: left })
  switch (charge.metric) {
    case 2:
      return all(left)
    case 3:
      return weight === null ? undefined : all(share(weight, remaining, 4))
    case 4:
      return volume === null ? undefined : all(share(volume, remaining, 6))
    case 9:
      return all(q(1n))
    case 10:
      if (version > 1 && (part.logisticUnits ?? null) === null) return undefined
      return all(q(BigInt(part.logisticUnits ?? 0)))
    case 11:
      if (version > 1 && !part.serials) return undefined
      return all(q(BigInt(part.serials ?? 0)))
  }
  const wanted = charge.metric === 6 ? charge.unitTypeId : null
  const unit = part.units?.find(({ unitTypeId }) => unitTypeId === wanted)
  if (unit === undefined) return undefined
  const units = over(left, decimal(unit.items))
  if (charge.metricResolution !== 2) return all(toStep(charge, units))
  const count = floor(units)
  const taken = rounded(times(count, decimal(unit.items)), 4)
  return { value: toStep(charge, count), quantity: isLess(left, taken) ? left : taken }
}

/** The metric of several lines together, to six places. */
function metricOf(charge: Json, remainingParts: RemainingPart[], values: Q[]): Q {
  let sum = values.reduce(plus, zero)
  if (charge.metric === 12) {
    const weight = remainingParts
      .map(remaining => share(remaining.part.weight as number, remaining, 4))
      .reduce(plus, zero)
    const volume = remainingParts
      .map(remaining => share(remaining.part.volume as number, remaining, 6))
      .reduce(plus, zero)
    const cubic = times(volume, decimal(charge.cubicKGPerM3))
    sum = isLess(weight, cubic) ? cubic : weight
  }
  if (sum.n <= 0n) return zero
  return rounded(charge.metric === 5 || charge.metric === 6 ? sum : toStep(charge, sum), 6)
}

interface Row {
  metric: Q
  amount: Q
  band: number
}

/**
 * Prices a metric, with a row for each band if breaks are progressive. Undefined if an amount is too large.
 */
function price(charge: Json, metric: Q, faf: Q): Row[] | undefined {
  if (isLess(decimal(99_999_999_999), metric)) return undefined
  const isFee = charge.application === 2
  const cents = (value: Json) => (value === undefined || value === null ? undefined : decimal(value))
  const amount = (counted: Q, rate: Q, base: Q | undefined): Q => {
    let sum = times(counted, rate)
    if (!isFee) {
      const [min, max] = [cents(charge.minExclTax), cents(charge.maxExclTax)]
      sum = plus(sum, base ?? zero)
      if (min !== undefined && isLess(sum, min)) sum = min
      if (max !== undefined && isLess(max, sum)) sum = max
    }
    return rounded(times(sum, plus(q(1n), charge.isFafExempt ? zero : faf)), 2)
  }
  const counted = isFee ? q(1n) : metric
  const bands: Json[] = charge.breaks?.bands ?? []
  const rows: Row[] = []
  if (charge.breaks?.kind === 2) {
    let below = zero
    for (const [i, { upTo, rateExclTax }] of bands.entries()) {
      const end = upTo === null || isLess(metric, decimal(upTo)) ? metric : decimal(upTo)
      if (!isLess(below, end)) continue
      const part = minus(end, below)
      rows.push({
        metric: part,
        amount: amount(part, decimal(rateExclTax), i === 0 ? cents(charge.baseExclTax) : undefined),
        band: i + 1,
      })
      below = end
    }
  } else if (charge.breaks?.kind === 1) {
    const band = bands.find(({ upTo }) => upTo === null || !isLess(decimal(upTo), metric))
    const base = cents(band.baseExclTax) ?? cents(charge.baseExclTax)
    rows.push({ metric: counted, amount: amount(counted, decimal(band.rateExclTax), base), band: 0 })
  } else
    rows.push({
      metric: counted,
      amount: amount(counted, decimal(charge.rateExclTax), cents(charge.baseExclTax)),
      band: 0,
    })
  const limit = decimal(99_999_999_999)
  return rows.some(row => isLess(limit, row.amount) || isLess(row.amount, times(limit, q(-1n))))
    ? undefined
    : rows
}

const isFree = (charge: Json): boolean =>
  !charge.breaks?.kind && charge.rateExclTax === 0 && !charge.baseExclTax && !charge.minExclTax

/** Applies one rate to all parts of the consignment. */
function applyRate(rate: Json, header: ModelHeader, parts: ModelPart[], faf: Q, version: number) {
  const remainingParts: RemainingPart[] = parts.map((part, at) => ({
    part,
    at,
    left: decimal(part.quantity),
    isGone: false,
    reason: 0,
  }))
  let isConsignmentLeft = true
  const rows: ModelResult['rows'] = []
  let total: Q | undefined
  let isApplied = false
  for (const charge of rate.charges) {
    if (!isConsignmentLeft && remainingParts.every(({ isGone }) => isGone)) break
    if (failedSelectors(charge.when, header).length > 0) continue
    const matching = remainingParts.filter(
      remaining =>
        !remaining.isGone &&
        remaining.part.kind === kindOf(charge.metric) &&
        matchesPart(charge.when, remaining.part),
    )
    const groups = new Map<string, RemainingPart[]>()
    const selectsLines = [
      'productIds',
      'productGroupIds',
      'productAttributes',
      'dgHazardClassIds',
      'packageTypeCodes',
    ].some(name => charge.when?.[name] !== undefined)
    if (charge.metric === 1) {
      if (isConsignmentLeft && (!selectsLines || matching.length > 0)) groups.set('', matching)
    } else {
      for (const remaining of matching) {
        const key =
          remaining.part.kind === 'line'
            ? charge.isPerProduct
              ? (remaining.part.productId ?? '')
              : ''
            : (remaining.part.typeId as string)
        groups.set(key, [...(groups.get(key) ?? []), remaining])
      }
    }
    for (const [key, group] of groups) {
      const values: Q[] = []
      const taken: { remaining: RemainingPart; quantity: Q }[] = []
      for (const remaining of group) {
        if (charge.metric === 1) taken.push({ remaining, quantity: remaining.left })
        else if (remaining.part.kind !== 'line') {
          values.push(remaining.left)
          taken.push({ remaining, quantity: remaining.left })
        } else if (charge.metric === 12) {
          if (remaining.part.weight == null || remaining.part.volume == null) remaining.reason = 4
          else taken.push({ remaining, quantity: remaining.left })
        } else {
          const found = measure(charge, remaining, version)
          if (found === undefined) remaining.reason = 4
          else {
            values.push(found.value)
            taken.push({ remaining, quantity: found.quantity })
          }
        }
      }
      const metric =
        charge.metric === 1
          ? metricOf(charge, [], [q(1n)])
          : metricOf(
              charge,
              taken.map(({ remaining }) => remaining),
              values,
            )
      for (const { remaining, quantity } of taken) if (!isSame(quantity, remaining.left)) remaining.reason = 6
      const priced = isFree(charge) ? [] : metric.n <= 0n ? 7 : (price(charge, metric, faf) ?? 4)
      if (typeof priced === 'number') {
        for (const { remaining, quantity } of taken)
          if (isSame(quantity, remaining.left)) remaining.reason = priced
        continue
      }
      isApplied = true
      if (charge.metric === 1) isConsignmentLeft = false
      for (const { remaining, quantity } of taken) {
        if (isSame(quantity, remaining.left)) remaining.isGone = true
        remaining.left = minus(remaining.left, quantity)
      }
      for (const row of priced) {
        total = plus(total ?? zero, row.amount)
        rows.push({
          rateId: rate.id,
          chargeId: charge.id,
          key: row.band === 0 ? key : [key, row.band].filter(word => word !== '').join('/'),
          metric: text(row.metric),
          amount: text(row.amount),
        })
      }
    }
  }
  return { rate, rows, remainingParts, total, isApplied }
}

/**
 * Evaluates a rate card for a consignment. `resolution`: 0 cheapest, 1 most expensive, 2 all. `version`: the
 * rules, 1 or 2.
 */
export function evaluateModel(
  content: Json,
  header: ModelHeader,
  parts: ModelPart[],
  terms: { side: 'client' | 'carrier'; resolution: number; faf: number; version: number },
): ModelResult {
  const kinds = terms.side === 'client' ? [1, 2] : [3]
  const results = content.rates
    .filter(({ kind }: Json) => kinds.includes(kind))
    .map((rate: Json) =>
      applyRate(rate, header, parts, rate.kind === 1 ? zero : decimal(terms.faf), terms.version),
    )
  const isFreight = ({ rate }: Json) => rate.kind !== 1
  const priced = results.filter((result: Json) => isFreight(result) && result.total !== undefined)
  let best = priced[0]
  for (const result of priced) {
    const isBetter =
      terms.resolution === 0 ? isLess(result.total, best.total) : isLess(best.total, result.total)
    if (isBetter) best = result
  }
  const charged = results.filter(
    (result: Json) => !isFreight(result) || terms.resolution === 2 || result === best,
  )
  return {
    rows: charged.flatMap(({ rows }: Json) => rows),
    left: results.map(({ rate, remainingParts }: Json) => ({
      rateId: rate.id,
      parts: remainingParts.map((remaining: RemainingPart) =>
        remaining.isGone ? null : text(remaining.left),
      ),
    })),
    unrated: terms.side === 'client' ? unratedOf(results, header, parts) : [],
  }
}

const reasonsByProximity = [2, 3, 5, 4, 7, 6]
const nearestMiss = (reasons: number[]) =>
  reasons.toSorted((a, b) => reasonsByProximity.indexOf(b) - reasonsByProximity.indexOf(a))[0] ?? 2

function unratedOf(results: Json[], header: ModelHeader, parts: ModelPart[]): ModelResult['unrated'] {
  const missReasonOf = (charge: Json, part: ModelPart | null): number => {
    const names = failedSelectors(charge.when, header)
    const lacksLocalities = names.every(
      name =>
        (name === 'originLocalityIds' || name === 'destinationLocalityIds') &&
        (header[name] as string[]).length === 0,
    )
    return names.length > 0 && lacksLocalities && (part === null || matchesPart(charge.when, part)) ? 5 : 3
  }
  const activities = results.filter(({ rate }) => rate.kind === 1)
  const unrated: ModelResult['unrated'] = parts.flatMap((part, at) => {
    if (activities.some(({ remainingParts }) => remainingParts[at].isGone)) return []
    let least = decimal(part.quantity)
    const reasons: number[] = []
    for (const { rate, remainingParts } of activities) {
      if (isLess(remainingParts[at].left, least)) least = remainingParts[at].left
      if (remainingParts[at].reason !== 0) reasons.push(remainingParts[at].reason)
      for (const charge of rate.charges)
        if (kindOf(charge.metric) === part.kind) reasons.push(missReasonOf(charge, part))
    }
    return [{ part: at, quantity: text(least), reason: nearestMiss(reasons) }]
  })
  const freights = results.filter(({ rate }) => rate.kind === 2)
  if (freights.length > 0 && header.carrierId !== null && freights.every(({ isApplied }) => !isApplied)) {
    const reasons = freights.flatMap(({ rate, remainingParts }) => [
      ...remainingParts.map(({ reason }: RemainingPart) => reason).filter((reason: number) => reason !== 0),
      ...rate.charges.map((charge: Json) => missReasonOf(charge, null)),
    ])
    unrated.push({ part: null, quantity: '0/1', reason: nearestMiss(reasons) })
  }
  return unrated
}
