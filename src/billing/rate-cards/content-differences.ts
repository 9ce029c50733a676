// Compares two contents, rate by rate and charge by charge, matched by their ids. Pure.

import type { RateCardContent } from '../evaluator/rate-card-content.ts'

/** One field that differs. `from` or `to` is null if that content lacks the field. */
export interface ContentDifference {
  /** the name of the rate; null for a field of the content itself */
  rate: string | null
  /** the id of the charge; null for a field of the rate or the content itself */
  charge: string | null
  field: string
  from: unknown
  to: unknown
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The fields that differ; nested ones have a path such as `when.productIds`. */
function fieldDifferences(
  from: unknown,
  to: unknown,
  path: string,
): Pick<ContentDifference, 'field' | 'from' | 'to'>[] {
  if (isPlainObject(from) || isPlainObject(to)) {
    const [a, b] = [isPlainObject(from) ? from : {}, isPlainObject(to) ? to : {}]
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap(name =>
      fieldDifferences(a[name], b[name], path === '' ? name : `${path}.${name}`),
    )
  }
  return JSON.stringify(from) === JSON.stringify(to)
    ? []
    : [{ field: path, from: from ?? null, to: to ?? null }]
}

interface WithId {
  id?: string | null
}

/** Pairs items by id, in the order of `to`, followed by those that only `from` has. */
function pairs<T extends WithId>(from: readonly T[], to: readonly T[]): [T | undefined, T | undefined][] {
  const before = new Map(from.map(item => [item.id, item]))
  const after = new Set(to.map(({ id }) => id))
  return [
    ...to.map((item): [T | undefined, T] => [before.get(item.id), item]),
    ...from.filter(({ id }) => !after.has(id)).map((item): [T, undefined] => [item, undefined]),
  ]
}

/**
 * Lists every field in which `to` differs from `from`. A rate or charge that only one has is one difference.
 */
export function contentDifferences(from: Partial<RateCardContent>, to: RateCardContent): ContentDifference[] {
  const { rates: fromRates = [], ...fromRest } = from
  const { rates: toRates, ...toRest } = to
  const found: ContentDifference[] = fieldDifferences(fromRest, toRest, '').map(difference => ({
    ...{ rate: null, charge: null },
    ...difference,
  }))
  for (const [a, b] of pairs(fromRates, toRates)) {
    const rate = (b ?? a)?.name ?? null
    if (a === undefined || b === undefined) {
      found.push({ rate, charge: null, field: 'rate', from: a ?? null, to: b ?? null })
      continue
    }
    const { charges: fromCharges, ...fromRate } = a
    const { charges: toCharges, ...toRate } = b
    for (const difference of fieldDifferences(fromRate, toRate, ''))
      found.push({ rate, charge: null, ...difference })
    if (fromCharges.map(({ id }) => id).join() !== toCharges.map(({ id }) => id).join())
      found.push({
        rate,
        charge: null,
        field: 'charges',
        from: fromCharges.map(({ id }) => id),
        to: toCharges.map(({ id }) => id),
      })
    for (const [c, d] of pairs(fromCharges, toCharges)) {
      const charge = (d ?? c)?.id ?? null
      if (c === undefined || d === undefined)
        found.push({ rate, charge, field: 'charge', from: c ?? null, to: d ?? null })
      else for (const difference of fieldDifferences(c, d, '')) found.push({ rate, charge, ...difference })
    }
  }
  return found
}
