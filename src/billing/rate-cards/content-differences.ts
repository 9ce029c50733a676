// In what two contents differ, rate by rate and charge by charge, told by their ids. Pure.

import type { RateCardContent } from './rate-card-content.ts'

/** One field that differs: null where one of the two has none. `rate` and `charge` say where. */
export interface Difference {
  rate: string | null
  charge: string | null
  field: string
  from: unknown
  to: unknown
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The fields that differ, nested ones by their path. */
function fields(from: unknown, to: unknown, path: string): Pick<Difference, 'field' | 'from' | 'to'>[] {
  if (isPlainObject(from) || isPlainObject(to)) {
    const [a, b] = [isPlainObject(from) ? from : {}, isPlainObject(to) ? to : {}]
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap(name =>
      fields(a[name], b[name], path === '' ? name : `${path}.${name}`),
    )
  }
  return JSON.stringify(from) === JSON.stringify(to)
    ? []
    : [{ field: path, from: from ?? null, to: to ?? null }]
}

interface Named {
  id?: string | null
}

/** Pairs by id, in the order of the second, then what only the first has. */
function pairs<T extends Named>(from: readonly T[], to: readonly T[]): [T | undefined, T | undefined][] {
  const before = new Map(from.map(one => [one.id, one]))
  const after = new Set(to.map(({ id }) => id))
  return [
    ...to.map((one): [T | undefined, T] => [before.get(one.id), one]),
    ...from.filter(({ id }) => !after.has(id)).map((one): [T, undefined] => [one, undefined]),
  ]
}

/** Every field in which `to` differs from `from`. A rate or charge that only one has differs in its whole. */
export function contentDifferences(from: Partial<RateCardContent>, to: RateCardContent): Difference[] {
  const { rates: fromRates = [], ...fromRest } = from
  const { rates: toRates, ...toRest } = to
  const found: Difference[] = fields(fromRest, toRest, '').map(one => ({ rate: null, charge: null, ...one }))
  for (const [a, b] of pairs(fromRates, toRates)) {
    const rate = (b ?? a)?.name ?? null
    if (a === undefined || b === undefined) {
      found.push({ rate, charge: null, field: 'rate', from: a ?? null, to: b ?? null })
      continue
    }
    const { charges: fromCharges, ...fromRate } = a
    const { charges: toCharges, ...toRate } = b
    found.push(...fields(fromRate, toRate, '').map(one => ({ rate, charge: null, ...one })))
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
      else found.push(...fields(c, d, '').map(one => ({ rate, charge, ...one })))
    }
  }
  return found
}
